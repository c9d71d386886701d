/**
 * The parts that all clients share: their interfaces, threads, replicas that confirm, and
 * descriptions of servers.
 */
@NullMarked
package io.distlock.redis.client;

import org.jspecify.annotations.NullMarked;
