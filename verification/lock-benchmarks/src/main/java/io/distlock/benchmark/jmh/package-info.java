/**
 * Micro-benchmarks of what needs no server.
 */
@NullMarked
package io.distlock.benchmark.jmh;

import org.jspecify.annotations.NullMarked;
