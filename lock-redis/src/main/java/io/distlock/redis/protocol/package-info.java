/**
 * Defines the protocol between the store and a Redis server: scripts, names of keys,
 * replies, messages and errors.
 */
@NullMarked
package io.distlock.redis.protocol;

import org.jspecify.annotations.NullMarked;
