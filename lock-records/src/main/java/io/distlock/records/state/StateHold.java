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
 * @param incarnation the incarnation of its process in which it was granted
 * @param sharing with whom it may be held
 * @param tokens its fencing tokens
 * @param end when it ends by the store's clock; {@link #OPEN} if it ends with its session
 * @param leaseMillis its lease; what an open hold shows to people
 * @param claimed whether the grant was pushed and is not confirmed yet
 * @param holder metadata
 */
record StateHold(RequestId request, String incarnation, Sharing sharing, ReservedTokens tokens, long end,
		long leaseMillis, boolean claimed, Holder holder) {

	/** The end of a hold that lasts as long as the session of its process. */
	static final long OPEN = Long.MAX_VALUE;

	boolean by(RequestId other) {
		return this.request.equals(other);
	}

	/** Whether its process may still use it. */
	boolean isValid(StoreTime time) {
		return !isOver(time, 0);
	}

	/** Whether its own process may rely on it: not on one of an earlier session. */
	boolean isUsable(StoreTime time) {
		return isValid(time) && this.incarnation.equals(time.incarnation());
	}

	/**
	 * Whether others may have the lock. A hold that has an end lasts until then: it is
	 * kept after its release, or no session ends holds there.
	 */
	boolean isOver(StoreTime time, long graceMillis) {
		return (this.end == OPEN) ? time.gone().test(this.incarnation) : this.end + graceMillis <= time.now();
	}

	/** A grant of this hold that ends at a moment of the store's clock. */
	Grant grant(long expiresAt, long now) {
		return new Grant(this.tokens.first(), this.tokens.count(), expiresAt, now);
	}

	/** A grant of this hold as it is. */
	Grant grant(long now) {
		return grant((this.end != OPEN) ? this.end : Math.min(openedUntil(), now + this.leaseMillis), now);
	}

	/**
	 * The end of the lease in the first answer. A repeated request gets no later end, so
	 * it gets nothing once the lease has passed.
	 */
	private long openedUntil() {
		return this.holder.since().toEpochMilli() + this.leaseMillis;
	}

	StateHold confirmedUntil(long expiry, long lease) {
		return new StateHold(this.request, this.incarnation, this.sharing, this.tokens, expiry, lease, false,
				this.holder);
	}

	/** The hold after its release: it belongs to no process and to no session. */
	StateHold kept(long until, long millis) {
		RequestId nobody = this.request.kept();
		return new StateHold(nobody, nobody.engine(), this.sharing, this.tokens, until, millis, false,
				this.holder.released());
	}

	/** The hold of a writer that only reads from now on. */
	StateHold opened() {
		return new StateHold(this.request, this.incarnation, Sharing.SHARED, this.tokens, this.end, this.leaseMillis,
				this.claimed, this.holder);
	}

	StateHold with(ReservedTokens more) {
		return new StateHold(this.request, this.incarnation, this.sharing, more, this.end, this.leaseMillis,
				this.claimed, this.holder);
	}

	/** The hold as far as operators see it. */
	LockSnapshot.Hold seen(long now) {
		long remaining = (this.end != OPEN) ? this.end - now : this.leaseMillis;
		return new LockSnapshot.Hold(this.request, this.holder, this.tokens.first(), Duration.ofMillis(remaining));
	}

}
