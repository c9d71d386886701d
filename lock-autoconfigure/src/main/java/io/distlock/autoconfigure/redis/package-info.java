/** Wires the Redis store, on the connection factory that the application has. */
@NullMarked
package io.distlock.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
