/**
 * One key. {@link io.distlock.internal.key.LockEntry} is the only class that moves a key
 * from one state to the next. The parts around it own their state, do not know each other
 * and return what happened.
 */
@NullMarked
package io.distlock.internal.key;

import org.jspecify.annotations.NullMarked;
