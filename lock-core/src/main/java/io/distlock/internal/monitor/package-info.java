/**
 * The monitor under which the state of a key changes, and the time at which the
 * housekeeping thread visits it.
 */
@NullMarked
package io.distlock.internal.monitor;

import org.jspecify.annotations.NullMarked;
