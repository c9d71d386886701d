/**
 * Runs scripts and receives messages through clients that block, such as Jedis: each
 * command takes a connection from a pool.
 */
@NullMarked
package io.distlock.redis.pooled;

import org.jspecify.annotations.NullMarked;
