/**
 * Time as the engine counts it: clocks and their jumps, deadlines, lease terms, and when
 * to repeat something. Knows nothing of keys.
 */
@NullMarked
package io.distlock.internal.time;

import org.jspecify.annotations.NullMarked;
