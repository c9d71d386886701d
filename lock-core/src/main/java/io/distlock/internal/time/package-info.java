/**
 * Time as the engine counts it: clocks and their jumps, deadlines, lease terms and the
 * backoff of repetitions. This package knows nothing of keys.
 */
@NullMarked
package io.distlock.internal.time;

import org.jspecify.annotations.NullMarked;
