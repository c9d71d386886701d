/**
 * Observing one acquisition from its request to its release, debug log, flight recorder.
 */
@NullMarked
package io.distlock.internal.observe;

import org.jspecify.annotations.NullMarked;
