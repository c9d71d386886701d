/**
 * Changes of Redis keys without a lock: watched, decided in Java, and written only if no
 * other client changed them.
 */
@NullMarked
package io.distlock.redis.optimistic;

import org.jspecify.annotations.NullMarked;
