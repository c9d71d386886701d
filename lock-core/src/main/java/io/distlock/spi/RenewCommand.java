package io.distlock.spi;

import java.time.Duration;

/**
 * Extends a hold that is still valid. Never revives one that ended.
 *
 * @param key the lock
 * @param request the request that holds it
 * @param lease the lease from now on; without effect on one that ends later, as this may
 * be a late copy
 * @param tokens how many more fencing tokens to reserve, 0 to keep those of the hold
 * @param last whether nobody believes in the hold any more and it is to end with this
 * lease, be it sooner than before
 */
public record RenewCommand(String key, RequestId request, Duration lease, int tokens, boolean last) {

	/** Extends a hold that somebody believes in. */
	public RenewCommand(String key, RequestId request, Duration lease, int tokens) {
		this(key, request, lease, tokens, false);
	}

}
