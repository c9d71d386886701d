package io.distlock.redis.protocol;

import java.time.Duration;

/**
 * The times of a lock's queue in Redis.
 *
 * @param pollInterval how often a queued request is repeated
 * @param claim lease of a pushed grant until its owner confirms it
 * @param waiterTtl how long a queued request lives without being repeated
 * @param keep how long the end of a request is remembered
 */
public record QueueTimes(Duration pollInterval, Duration claim, Duration waiterTtl, Duration keep) {
}
