/** Starts and stops leader elections with the application context. */
@NullMarked
package io.distlock.autoconfigure.leader;

import org.jspecify.annotations.NullMarked;
