/**
 * The states of one key. Only {@link io.distlock.internal.key.LockEntry} moves a key from
 * one state to the next. The other classes each own a part of the state, do not know each
 * other and return what happened.
 */
@NullMarked
package io.distlock.internal.key;

import org.jspecify.annotations.NullMarked;
