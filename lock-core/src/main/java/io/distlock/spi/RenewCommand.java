package io.distlock.spi;

import java.time.Duration;

/**
 * Extends a hold that is still valid. Never revives one that ended.
 *
 * @param key the lock
 * @param request the request that holds it
 * @param lease the lease from now on
 * @param tokens how many more fencing tokens to reserve, 0 to keep those of the hold
 */
public record RenewCommand(String key, RequestId request, Duration lease, int tokens) {
}
