package io.distlock.memory;

import io.distlock.Holder;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;

/**
 * Who owns a lock.
 *
 * @param request the request
 * @param token first fencing token
 * @param tokens how many are reserved
 * @param expiresAt end of the lease
 * @param claimed whether the grant was pushed and is not confirmed yet
 * @param holder metadata
 */
record Ownership(RequestId request, long token, int tokens, long expiresAt, boolean claimed, Holder holder) {

	Grant grant(long now) {
		return new Grant(this.token, this.tokens, this.expiresAt, now);
	}

	Ownership until(long expiry) {
		return new Ownership(this.request, this.token, this.tokens, expiry, false, this.holder);
	}

	boolean by(RequestId other) {
		return this.request.equals(other);
	}

	boolean byInstance(String instance) {
		return this.request.instance().equals(instance);
	}

}
