package io.distlock.spi;

import java.time.Duration;

import io.distlock.support.KeyText;

/**
 * Extends a hold that is still valid. It never revives a hold that has ended.
 *
 * @param key the lock
 * @param request the request that holds it
 * @param lease the lease from now on; it has no effect on a lease that ends later
 * @param tokens how many more fencing tokens to reserve, 0 to keep those of the hold
 */
public record RenewCommand(String key, RequestId request, Duration lease, int tokens) {

	@Override
	public String toString() {
		return "RenewCommand[key=" + KeyText.of(this.key) + ", request=" + this.request + ", lease=" + this.lease
				+ ", tokens=" + this.tokens + "]";
	}

}
