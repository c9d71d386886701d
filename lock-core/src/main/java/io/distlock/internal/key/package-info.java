/**
 * The keys and how each of them moves from one state to the next: locks, and semaphores,
 * whose permits are locks in slots. Only {@link io.distlock.internal.key.LockEntry} and
 * its {@code Waiters}, {@code Contender} and {@code LeaseKeeper} move a key; the rooms
 * below each own a part of its state, and return what happened.
 */
@NullMarked
package io.distlock.internal.key;

import org.jspecify.annotations.NullMarked;
