package io.distlock.internal.lease;

import java.time.Duration;

import io.distlock.LossReason;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreSession;
import org.jspecify.annotations.Nullable;

/**
 * The lease that the store keeps for one request of this process. This class knows until
 * when the lease is valid. The lease changes under the monitor of the key, but any thread
 * may read its end.
 */
public final class StoreLease {

	private final RequestId request;

	private final EngineClock clock;

	private final HandOffs handOffs;

	private final Renewals renewals;

	/** The session of the store, with which the lease ends. */
	private final StoreSession session;

	/** The term of the grant. */
	private final Duration granted;

	/**
	 * Whether a message handed the lease over and no renewal was confirmed since then.
	 */
	private volatile boolean unconfirmed;

	private volatile Validity validity;

	private boolean shared;

	private boolean over;

	/**
	 * Creates a lease that was just granted.
	 * @param request the request that was granted
	 * @param grant what was granted
	 * @param term the term that was granted
	 * @param now the monotonic clock
	 * @param granted until when the store has granted it
	 * @param skippedBefore the time that the clock had skipped when the store was asked
	 * @param clock the time
	 * @param backoff when to repeat a failed renewal
	 */
	public StoreLease(RequestId request, Grant grant, LeaseTerm term, long now, long granted, long skippedBefore,
			EngineClock clock, Backoff backoff) {
		this.request = request;
		this.granted = Duration.ofMillis(grant.remainingMillis());
		this.clock = clock;
		this.session = grant.session();
		this.validity = new Validity(granted, now, skippedBefore);
		this.renewals = new Renewals(term, now, granted - now, backoff);
		this.handOffs = new HandOffs(grant, now, granted - now);
	}

	/** Notes that a message of the store has handed the lease over. */
	public void handedOver() {
		this.unconfirmed = true;
	}

	/** Returns the request for which the store keeps this lease. */
	public RequestId request() {
		return this.request;
	}

	/** Returns the object which decides whether the lock may be handed on here. */
	public HandOffs handOffs() {
		return this.handOffs;
	}

	/** Returns the object which knows when the lease is renewed, and for which term. */
	public Renewals renewals() {
		return this.renewals;
	}

	/** Marks the lease as one that belongs to readers. */
	public void share() {
		this.shared = true;
	}

	/** Returns whether this process has released or lost the lease. */
	public boolean isOver() {
		return this.over;
	}

	/**
	 * Marks the lease as released or lost by this process, so that it is not renewed any
	 * more.
	 */
	public void markOver() {
		this.over = true;
	}

	// Until when it is valid

	/**
	 * Returns until when this process may rely on the lease without a further renewal.
	 * Until then the lease is granted and its session surely lasts. Time that the clock
	 * has skipped since the request for the last confirmation has passed for the session
	 * too.
	 */
	public long deadline() {
		Validity granted = this.validity;
		return LocalDeadline.earlier(granted.until(), this.session.sureUntil() + granted.skippedBefore());
	}

	/**
	 * Returns how much of the granted time is left, in nanoseconds. The result is zero or
	 * less once that time is over.
	 */
	public long remaining() {
		return this.validity.until() - this.clock.nanoTime();
	}

	/** Returns when the store last confirmed the lease. */
	public long confirmedAt() {
		return this.validity.confirmedAt();
	}

	/**
	 * Notes that the store has renewed the lease.
	 * @param sentAt when the renewal was sent
	 * @param skippedBefore the time that the clock had skipped by then
	 * @param renewed the answer
	 * @return until when the lease was granted before
	 */
	public long confirmed(long sentAt, long skippedBefore, RenewResult.Renewed renewed) {
		long before = this.validity.until();
		this.unconfirmed = false;
		validUntil(LocalDeadline.after(sentAt, renewed.grant().remainingMillis()), skippedBefore);
		this.handOffs.confirmed(renewed.grant(), renewed.waiters(), sentAt, confirmedAt());
		if (this.shared && renewed.waiters() == 0) {
			this.handOffs.uncontended(sentAt);
		}
		return before;
	}

	/**
	 * Creates the renewal that is sent now, and plans its repetition.
	 * @param key the key
	 * @param now the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @return the renewal
	 */
	public RenewCommand renewal(String key, long now, long timeoutNanos) {
		LeaseTerm requested = this.renewals.sent(now, timeoutNanos, this.validity.until() - now);
		return new RenewCommand(key, this.request, requested.duration(), reserveTokens());
	}

	/**
	 * Records until when the store has confirmed the lease. No renewal shortens a lease.
	 */
	void validUntil(long until, long skippedBefore) {
		long before = this.validity.until();
		long later = (until - before > 0) ? until : before;
		this.validity = new Validity(later, this.clock.nanoTime(), skippedBefore);
	}

	/**
	 * Returns why a hold is over. The reason is a suspension if the hold would still last
	 * without the time that the clock skipped. The reason is a missing confirmation if no
	 * renewal confirmed the hold since its hand-over.
	 * @param until when it ended
	 * @param now the monotonic clock
	 */
	public LossReason whyExpired(long until, long now) {
		long skipped = this.clock.skipped() - this.validity.skippedBefore();
		if (skipped > 0 && until + skipped - now > 0) {
			return LossReason.SUSPENDED;
		}
		return this.unconfirmed ? LossReason.UNCONFIRMED : LossReason.EXPIRED;
	}

	/**
	 * Returns how long the lease would have lasted without a renewal, for the report of
	 * its loss.
	 */
	public Duration length(LossReason why) {
		LeaseTerm term = this.renewals.term();
		boolean brief = why == LossReason.UNCONFIRMED && this.granted.toNanos() < term.nanos();
		return brief ? this.granted : term.duration();
	}

	// Renewals and hand-overs

	/**
	 * Asks the store now whether it still has the lease. The lease keeps its end, and it
	 * is renewed as before.
	 */
	public void confirm() {
		this.renewals.confirm(remaining(), this.clock.nanoTime());
	}

	/**
	 * Sends a scheduled renewal now, because the rest of the lease is not certain until
	 * it is renewed. A fixed lease is confirmed only if it has a session, because only
	 * the rest of the session is in doubt.
	 */
	public void suspect() {
		if (this.renewals.term().renewed() ? this.renewals.scheduled() : this.session != StoreSession.NONE) {
			confirm();
		}
	}

	/**
	 * Plans the repetition of a renewal that failed.
	 * @return {@code true} for the first failure in a row
	 */
	public boolean failed() {
		this.handOffs.notConfirmed();
		return this.renewals.failed(this.clock.nanoTime());
	}

	/**
	 * Returns whether the lock may be handed to the next thread here.
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param wanted the term the next thread wants
	 * @param now the monotonic clock
	 */
	public boolean mayHandOff(long remaining, LeaseTerm wanted, long now) {
		boolean sameTerm = wanted.renewed() && wanted.equals(this.renewals.term());
		return sameTerm && this.renewals.scheduled() && this.handOffs.allow(remaining, wanted, now);
	}

	/**
	 * Returns whether tokens should be reserved before they run out. Only a lease that is
	 * renewed anyway reserves tokens this way, because the reservation is a renewal,
	 * which extends the lease too.
	 * @param next the term that the next waiter wants, or {@code null} if none waits
	 * @param waiting how many wait, each for a token
	 */
	public boolean wantsTokens(@Nullable LeaseTerm next, int waiting) {
		if (this.shared) {
			return false;
		}
		LeaseTerm term = this.renewals.term();
		this.handOffs.waiting(term.equals(next) ? waiting : 0);
		return term.renewed() && this.renewals.scheduled() && !this.renewals.failing() && this.handOffs.wantTokens();
	}

	/** Reserves tokens with the renewal that is being sent, and returns their number. */
	int reserveTokens() {
		return (this.shared || this.renewals.failing()) ? 0 : this.handOffs.reserve();
	}

	/**
	 * The time until which a lease is granted.
	 *
	 * @param until when it ends
	 * @param confirmedAt when the store last confirmed it
	 * @param skippedBefore the time that the clock had skipped when the store was asked
	 * for that confirmation
	 */
	private record Validity(long until, long confirmedAt, long skippedBefore) {
	}

}
