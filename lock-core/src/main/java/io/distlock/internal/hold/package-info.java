/**
 * One hold in this process: its owner, what the owner asked for, how the wait for it
 * ended, and the interrupt of a thread that has lost it.
 */
@NullMarked
package io.distlock.internal.hold;

import org.jspecify.annotations.NullMarked;
