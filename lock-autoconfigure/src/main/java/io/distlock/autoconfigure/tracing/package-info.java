/** One observation for each acquisition of a lock and one for each hold, for traces. */
@NullMarked
package io.distlock.autoconfigure.tracing;

import org.jspecify.annotations.NullMarked;
