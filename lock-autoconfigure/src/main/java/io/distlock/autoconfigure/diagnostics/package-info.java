/** Explains failures of a start. */
@NullMarked
package io.distlock.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
