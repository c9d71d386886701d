/** Benchmarks of locks in a database and in ZooKeeper. */
@NullMarked
package io.distlock.benchmark.stores;

import org.jspecify.annotations.NullMarked;
