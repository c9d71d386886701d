/** Observes each acquisition of a lock and each hold, for traces. */
@NullMarked
package io.distlock.autoconfigure.tracing;

import org.jspecify.annotations.NullMarked;
