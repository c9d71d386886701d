package io.distlock.records.state;

import java.time.Duration;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/**
 * One hold of a lock.
 *
 * @param request the request
 * @param incarnation the incarnation of the process at the time of the grant
 * @param sharing how the hold shares the lock with others
 * @param tokens the fencing tokens of the hold
 * @param end the end of the hold by the store's clock, or {@link #OPEN} if the hold ends
 * with its session
 * @param leaseMillis the lease of the hold; an open hold shows it to people
 * @param claimed whether the grant was pushed and is not confirmed yet
 * @param holder metadata
 */
record StateHold(RequestId request, String incarnation, Sharing sharing, ReservedTokens tokens, long end,
		long leaseMillis, boolean claimed, Holder holder) {

	/** Marks a hold that lasts as long as the session of its process. */
	static final long OPEN = Long.MAX_VALUE;

	boolean by(RequestId other) {
		return this.request.equals(other);
	}

	/** Returns whether the hold's process may still use the hold. */
	boolean isValid(StoreTime time) {
		return !isOver(time, 0);
	}

	/**
	 * Returns whether the present session of the hold's process may rely on the hold. A
	 * hold of an earlier session is not usable.
	 */
	boolean isUsable(StoreTime time) {
		return isValid(time) && this.incarnation.equals(time.incarnation());
	}

	/**
	 * Returns whether other processes may get the lock. A hold with an end lasts until
	 * this end, because it is kept after its release, or because the store has no
	 * sessions.
	 */
	boolean isOver(StoreTime time, long graceMillis) {
		return (this.end == OPEN) ? time.gone().test(this.incarnation) : this.end + graceMillis <= time.now();
	}

	/**
	 * Returns a grant of this hold that ends at the given moment of the store's clock.
	 */
	Grant grant(long expiresAt, long now) {
		return new Grant(this.tokens.first(), this.tokens.count(), expiresAt, now);
	}

	/** Returns a grant of this hold with its present end. */
	Grant grant(long now) {
		return grant((this.end != OPEN) ? this.end : Math.min(openedUntil(), now + this.leaseMillis), now);
	}

	/**
	 * Returns the end of the lease in the first answer. A repeated request gets no later
	 * end, so it gets no grant after the end of the lease.
	 */
	private long openedUntil() {
		return this.holder.since().toEpochMilli() + this.leaseMillis;
	}

	StateHold confirmedUntil(long expiry, long lease) {
		return new StateHold(this.request, this.incarnation, this.sharing, this.tokens, expiry, lease, false,
				this.holder);
	}

	/**
	 * Returns the hold after its release. It then belongs to no process and no session.
	 */
	StateHold kept(long until, long millis) {
		RequestId nobody = this.request.kept();
		return new StateHold(nobody, nobody.engine(), this.sharing, this.tokens, until, millis, false,
				this.holder.released());
	}

	StateHold with(ReservedTokens more) {
		return new StateHold(this.request, this.incarnation, this.sharing, more, this.end, this.leaseMillis,
				this.claimed, this.holder);
	}

	/** Returns the part of the hold that operators see. */
	LockSnapshot.Hold seen(long now) {
		long remaining = (this.end != OPEN) ? this.end - now : this.leaseMillis;
		return new LockSnapshot.Hold(this.request, this.holder, this.tokens.first(), Duration.ofMillis(remaining));
	}

}
