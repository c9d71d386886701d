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
 * @param shared {@code true} if the owner of the hold only reads from now on. An
 * exclusive hold becomes a shared one with the same tokens, and queued requests that may
 * now be granted are granted. A shared hold never becomes exclusive again
 */
public record RenewCommand(String key, RequestId request, Duration lease, int tokens, boolean shared) {

	/**
	 * Creates a command that does not change the kind of the hold.
	 * @param key the lock
	 * @param request the request that holds it
	 * @param lease the lease from now on
	 * @param tokens how many more fencing tokens to reserve
	 */
	public RenewCommand(String key, RequestId request, Duration lease, int tokens) {
		this(key, request, lease, tokens, false);
	}

	@Override
	public String toString() {
		return "RenewCommand[key=" + KeyText.of(this.key) + ", request=" + this.request + ", lease=" + this.lease
				+ ", tokens=" + this.tokens + ", shared=" + this.shared + "]";
	}

}
