package io.distlock.memory;

import java.time.Duration;

import io.distlock.Holder;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/**
 * One hold of a lock.
 *
 * @param request the request
 * @param sharing with whom it may be held
 * @param token first fencing token
 * @param tokens how many are reserved
 * @param expiresAt end of the lease
 * @param claimed whether the grant was pushed and is not confirmed yet
 * @param holder metadata
 */
record InMemoryHold(RequestId request, Sharing sharing, long token, int tokens, long expiresAt, boolean claimed,
		Holder holder) {

	Grant grant(long now) {
		return new Grant(this.token, this.tokens, this.expiresAt, now);
	}

	InMemoryHold until(long expiry) {
		return new InMemoryHold(this.request, this.sharing, this.token, this.tokens, expiry, false, this.holder);
	}

	InMemoryHold with(long firstToken, int count) {
		return new InMemoryHold(this.request, this.sharing, firstToken, count, this.expiresAt, this.claimed,
				this.holder);
	}

	/** The hold as far as operators see it. */
	LockSnapshot.Hold seen(long now) {
		return new LockSnapshot.Hold(this.request, this.holder, this.token, Duration.ofMillis(this.expiresAt - now));
	}

	boolean by(RequestId other) {
		return this.request.equals(other);
	}

}
