/**
 * The observers of an acquisition from its request to its release, with the debug log and
 * the flight recorder.
 */
@NullMarked
package io.distlock.internal.observe;

import org.jspecify.annotations.NullMarked;
