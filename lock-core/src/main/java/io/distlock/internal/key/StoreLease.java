package io.distlock.internal.key;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

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
 * when the lease is valid, when it is renewed and for which term. The lease changes under
 * the monitor of the key, but any thread may read its end.
 */
final class StoreLease {

	/** The shortest term, which is the resolution of leases. */
	private static final long LEAST_TERM = TimeUnit.MILLISECONDS.toNanos(1);

	private final RequestId request;

	private final EngineClock clock;

	private final HandOffs handOffs;

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

	private Backoff backoff;

	/** The term that the owners want. */
	private LeaseTerm term;

	/** The term that the store has granted. */
	private LeaseTerm accepted;

	/** The longest term that was ever requested. */
	private LeaseTerm longest;

	private boolean scheduled;

	private long nextSend;

	/** Whether each renewal asks only for the time that is left of a fixed lease. */
	private boolean restOnly;

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
	StoreLease(RequestId request, Grant grant, LeaseTerm term, long now, long granted, long skippedBefore,
			EngineClock clock, Backoff backoff) {
		this.request = request;
		this.granted = Duration.ofMillis(grant.remainingMillis());
		this.clock = clock;
		this.session = grant.session();
		this.validity = new Validity(granted, now, skippedBefore);
		this.backoff = backoff;
		this.term = term;
		this.accepted = term;
		this.longest = term;
		this.nextSend = inStep(now, Math.min(term.nanos(), granted - now) / 3, term);
		this.scheduled = term.renewed();
		this.handOffs = new HandOffs(grant, now, granted - now);
	}

	/** Notes that a message of the store has handed the lease over. */
	void handedOver() {
		this.unconfirmed = true;
	}

	RequestId request() {
		return this.request;
	}

	/** Returns the object which decides whether the lock may be handed on here. */
	HandOffs handOffs() {
		return this.handOffs;
	}

	/** Returns whether readers share the lease. */
	boolean isShared() {
		return this.shared;
	}

	/** Marks the lease as one that belongs to readers. */
	void share() {
		this.shared = true;
	}

	/** Returns whether this process has released or lost the lease. */
	boolean isOver() {
		return this.over;
	}

	/**
	 * Marks the lease as released or lost by this process, so that it is not renewed any
	 * more.
	 */
	void markOver() {
		this.over = true;
	}

	// Until when it is valid

	/**
	 * Returns until when this process may rely on the lease without a further renewal.
	 * Until then the lease is granted and its session surely lasts. Time that the clock
	 * has skipped since the request for the last confirmation has passed for the session
	 * too.
	 */
	long deadline() {
		Validity granted = this.validity;
		return LocalDeadline.earlier(granted.until(), this.session.sureUntil() + granted.skippedBefore());
	}

	/**
	 * Returns how much of the granted time is left, in nanoseconds. The result is zero or
	 * less once that time is over.
	 */
	long remaining() {
		return this.validity.until() - this.clock.nanoTime();
	}

	/** Returns when the store last confirmed the lease. */
	long confirmedAt() {
		return this.validity.confirmedAt();
	}

	/**
	 * Notes that the store has renewed the lease.
	 * @param sentAt when the renewal was sent
	 * @param skippedBefore the time that the clock had skipped by then
	 * @param renewed the answer
	 * @return until when the lease was granted before
	 */
	long confirmed(long sentAt, long skippedBefore, RenewResult.Renewed renewed) {
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
	RenewCommand renewal(String key, long now, long timeoutNanos) {
		if (this.restOnly) {
			long rest = Math.max(LEAST_TERM, this.validity.until() - now);
			this.term = new LeaseTerm(Duration.ofNanos(rest), false);
		}
		if (this.term.nanos() > this.longest.nanos()) {
			this.longest = this.term;
		}
		sent(now, timeoutNanos, this.validity.until() - now);
		return new RenewCommand(key, this.request, this.term.duration(), reserveTokens(), this.shared);
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
	LossReason whyExpired(long until, long now) {
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
	Duration length(LossReason why) {
		boolean brief = why == LossReason.UNCONFIRMED && this.granted.toNanos() < this.term.nanos();
		return brief ? this.granted : this.term.duration();
	}

	// Renewals

	LeaseTerm term() {
		return this.term;
	}

	LeaseTerm longest() {
		return this.longest;
	}

	long nextSend() {
		return this.nextSend;
	}

	boolean scheduled() {
		return this.scheduled;
	}

	boolean due(long now) {
		return this.scheduled && now - this.nextSend >= 0;
	}

	long dueBy(long latest) {
		return this.scheduled ? LocalDeadline.earlier(latest, this.nextSend) : latest;
	}

	boolean failing() {
		return this.backoff.failing();
	}

	/**
	 * Returns whether the lease goes on as its owners want. That is so if the lease is
	 * fixed or still renewed.
	 */
	boolean goesOn() {
		return this.scheduled || !this.term.renewed();
	}

	/**
	 * Sends a scheduled renewal now, because the rest of the lease is not certain until
	 * it is renewed. A fixed lease is confirmed only if it has a session, because only
	 * the rest of the session is in doubt.
	 */
	void suspect(long now) {
		if (this.term.renewed() && this.scheduled) {
			hurry(now);
		}
		else if (this.session != StoreSession.NONE) {
			confirm(remaining(), now);
		}
	}

	/** Schedules a renewal now, even for a fixed term. */
	void hurry(long now) {
		within(now, 0);
	}

	/**
	 * Asks the store now whether it still has the lease. The lease keeps its end, and it
	 * is renewed as before.
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 */
	void confirm(long remaining, long now) {
		if (this.scheduled) {
			hurry(now);
		}
		else if (!this.term.renewed() && remaining >= LEAST_TERM) {
			this.term = new LeaseTerm(Duration.ofNanos(remaining), false);
			this.restOnly = true;
			hurry(now);
		}
	}

	/** Schedules a renewal within some time, even for a fixed term. */
	void within(long now, long nanos) {
		this.scheduled = true;
		this.nextSend = now + nanos;
	}

	/** Schedules a renewal at a moment, if none is due before. */
	void noLaterThan(long moment) {
		this.nextSend = this.scheduled ? LocalDeadline.earlier(this.nextSend, moment) : moment;
		this.scheduled = true;
	}

	void stop() {
		this.scheduled = false;
	}

	/** Returns whether the lease must be extended for a reader with this term. */
	boolean tooShortFor(LeaseTerm wanted, long remaining) {
		return this.term.renewed() ? wanted.nanos() > this.term.nanos()
				: wanted.renewed() || wanted.nanos() > remaining;
	}

	/**
	 * Takes over the term of another reader if the lease is too short for it.
	 * @param wanted the term of the reader
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 * @return whether the lease must be extended
	 */
	boolean lengthen(LeaseTerm wanted, long remaining, long now) {
		boolean longer = tooShortFor(wanted, remaining);
		if (longer) {
			Duration duration = (wanted.nanos() > remaining) ? wanted.duration() : Duration.ofNanos(remaining);
			want(new LeaseTerm(duration, this.term.renewed() || wanted.renewed()), now);
		}
		return longer;
	}

	/**
	 * Makes the lease last for some time from now, if it would end earlier. A renewed
	 * lease is renewed as before.
	 * @param wanted how long it must last
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 * @return whether the lease must be extended
	 */
	boolean extend(LeaseTerm wanted, long remaining, long now) {
		boolean longer = wanted.nanos() > remaining;
		if (longer) {
			boolean enough = this.term.renewed() && this.term.nanos() >= wanted.nanos();
			want(enough ? this.term : new LeaseTerm(wanted.duration(), this.term.renewed()), now);
		}
		return longer;
	}

	/**
	 * Requests a longer term, or an even longer one that is requested already: the caller
	 * that wants it still waits for its answer.
	 */
	private void want(LeaseTerm longer, long now) {
		boolean pending = isLengthening() && this.term.nanos() > longer.nanos();
		this.term = pending ? new LeaseTerm(this.term.duration(), longer.renewed()) : longer;
		this.restOnly = false;
		hurry(now);
	}

	/**
	 * Returns whether the renewals ask for another term than the store has granted. They
	 * may still do so after all callers that wanted the term have given up.
	 */
	boolean isLengthening() {
		return !this.term.equals(this.accepted);
	}

	/**
	 * Continues the lease with its former term. The store refuses the new term, and would
	 * refuse it again.
	 */
	void refused() {
		this.term = this.accepted;
		this.restOnly = false;
		this.scheduled = this.term.renewed();
	}

	/**
	 * Plans the repetition of a renewal that is being sent, so that there are at least
	 * three attempts.
	 * @param now the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @param remaining what is left of the lease, in nanoseconds
	 */
	void sent(long now, long timeoutNanos, long remaining) {
		within(now, Math.min(timeoutNanos, Math.min(this.term.nanos() / 6, Math.max(0, remaining) / 3)));
	}

	/**
	 * Plans the next renewal, if any, after the store has answered every question.
	 * @param now the monotonic clock
	 * @param remaining what is left of the lease, in nanoseconds
	 */
	void planNext(long now, long remaining) {
		this.backoff = this.backoff.reset();
		this.accepted = this.term;
		if (this.term.renewed()) {
			this.scheduled = true;
			this.nextSend = inStep(now, Math.min(this.term.nanos(), remaining) / 3, this.term);
		}
		else {
			this.restOnly = false;
			stop();
		}
	}

	/**
	 * Plans the repetition of a renewal that failed.
	 * @param now the monotonic clock
	 * @return {@code true} for the first failure in a row
	 */
	boolean failed(long now) {
		this.handOffs.notConfirmed();
		boolean first = !this.backoff.failing();
		within(now, this.backoff.delay());
		this.backoff = this.backoff.next();
		return first;
	}

	/**
	 * Returns whether the lock may be handed to the next thread here.
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param wanted the term the next thread wants
	 * @param now the monotonic clock
	 */
	boolean mayHandOff(long remaining, LeaseTerm wanted, long now) {
		boolean sameTerm = wanted.renewed() && wanted.equals(this.term);
		return sameTerm && this.scheduled && this.handOffs.allow(remaining, wanted, now);
	}

	/**
	 * Returns whether tokens should be reserved before they run out. Only a lease that is
	 * renewed anyway reserves tokens this way, because the reservation is a renewal,
	 * which extends the lease too.
	 * @param next the term that the next waiter wants, or {@code null} if none waits
	 * @param waiting how many wait, each for a token
	 */
	boolean wantsTokens(@Nullable LeaseTerm next, int waiting) {
		if (this.shared) {
			return false;
		}
		this.handOffs.waiting(this.term.equals(next) ? waiting : 0);
		return this.term.renewed() && this.scheduled && !failing() && this.handOffs.wantTokens();
	}

	/** Reserves tokens with the renewal that is being sent, and returns their number. */
	int reserveTokens() {
		return (this.shared || failing()) ? 0 : this.handOffs.reserve();
	}

	/**
	 * Returns a slightly earlier moment, so that the renewals of thousands of locks fall
	 * on a few moments a second.
	 */
	private static long inStep(long now, long delay, LeaseTerm term) {
		long moment = now + delay;
		// The step depends on the term: steps that depend on the rest of a lease would
		// differ from lease to lease.
		long step = (delay >= term.nanos() / 6) ? term.nanos() / 120 : delay / 40;
		return moment - Math.floorMod(moment, Math.max(1, step));
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
