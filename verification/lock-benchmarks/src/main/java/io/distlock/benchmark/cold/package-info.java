/** Processes that start, do one thing, and report what it took. */
@NullMarked
package io.distlock.benchmark.cold;

import org.jspecify.annotations.NullMarked;
