/**
 * The locks that are measured, all behind one small interface.
 */
@NullMarked
package io.distlock.benchmark.peer;

import org.jspecify.annotations.NullMarked;
