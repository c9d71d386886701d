/** Wires the Redis store, on the application's connection factory. */
@NullMarked
package io.distlock.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
