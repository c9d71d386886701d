/**
 * Threads and processes that want the lock.
 */
@NullMarked
package io.distlock.benchmark.load;

import org.jspecify.annotations.NullMarked;
