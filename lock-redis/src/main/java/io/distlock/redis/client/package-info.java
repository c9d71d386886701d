/**
 * Connections: runs scripts and receives messages through Lettuce, or through any other
 * client of Spring Data Redis.
 */
@NullMarked
package io.distlock.redis.client;

import org.jspecify.annotations.NullMarked;
