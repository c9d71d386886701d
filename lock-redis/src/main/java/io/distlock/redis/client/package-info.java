/**
 * Contains what all clients share: interfaces, threads, and descriptions of servers.
 */
@NullMarked
package io.distlock.redis.client;

import org.jspecify.annotations.NullMarked;
