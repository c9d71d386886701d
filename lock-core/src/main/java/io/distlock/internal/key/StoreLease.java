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
import org.jspecify.annotations.Nullable;

/**
 * The lease that the store keeps for one request of this process: until when it is valid,
 * when it is renewed and for which term. Changed under the monitor of the key; its end is
 * read by any thread.
 */
final class StoreLease {

	/** The resolution of leases. */
	private static final long LEAST_TERM = TimeUnit.MILLISECONDS.toNanos(1);

	private final RequestId request;

	private final EngineClock clock;

	private final HandOffs handOffs;

	/** How long the grant was to last. */
	private final Duration granted;

	/** Whether it was handed over, and no renewal was confirmed since then. */
	private volatile boolean unconfirmed;

	private volatile Validity validity;

	private boolean shared;

	private boolean over;

	private Backoff backoff;

	/** The lease that the owners want. */
	private Wanted wanted;

	/** The lease that the store grants, at once or in parts. */
	private Wanted accepted;

	/** Whether less is certain than the last renewal asked for. */
	private boolean grantedLess;

	/** Whether a fixed lease is granted in parts: its rest is still to be asked for. */
	private boolean inParts;

	/** The longest term that was ever requested. */
	private LeaseTerm longest;

	private boolean scheduled;

	private long nextSend;

	/** Whether the next renewal is sent now, not by the housekeeper. */
	private boolean urgent;

	/**
	 * Whether only a renewal that is still to be sent confirms the hold. The answer to an
	 * earlier one may be older than what raised the doubt.
	 */
	private boolean inDoubt;

	/**
	 * Creates a lease that was just granted.
	 * @param request the request that was granted
	 * @param grant what was granted
	 * @param term the term that was granted
	 * @param now the monotonic clock
	 * @param deadline until when it is certain
	 * @param clock the time
	 * @param backoff when to repeat a failed renewal
	 */
	StoreLease(RequestId request, Grant grant, LeaseTerm term, long now, long deadline, EngineClock clock,
			Backoff backoff) {
		this.request = request;
		this.granted = Duration.ofMillis(grant.remainingMillis());
		this.clock = clock;
		this.validity = new Validity(deadline, now, clock.skipped());
		this.backoff = backoff;
		this.wanted = new Wanted(term, now + term.nanos());
		this.accepted = this.wanted;
		this.longest = term;
		this.nextSend = inStep(now, Math.min(term.nanos(), deadline - now) / 3, term);
		this.scheduled = term.renewed();
		this.handOffs = new HandOffs(grant, now, deadline - now);
	}

	/** The store has handed it over by a message. */
	void handedOver() {
		this.unconfirmed = true;
	}

	/**
	 * The store has granted this for what was asked. Of a fixed lease it may be a part,
	 * if the store knows only for a shorter time that its own promise lasts.
	 */
	void granted(Grant grant) {
		this.grantedLess = grant.remainingMillis() < term().duration().toMillis();
		this.scheduled = goesOnAfterGrant();
	}

	private boolean goesOnAfterGrant() {
		this.inParts = this.grantedLess && !term().renewed();
		return term().renewed() || this.inParts;
	}

	RequestId request() {
		return this.request;
	}

	/** How far the lock may be handed on here while the lease lasts. */
	HandOffs handOffs() {
		return this.handOffs;
	}

	/** Whether readers hold it together. */
	boolean isShared() {
		return this.shared;
	}

	/** From now on it belongs to readers. */
	void share() {
		this.shared = true;
	}

	/** Whether this process has released or lost it. */
	boolean isOver() {
		return this.over;
	}

	/** This process has released or lost it: it is not renewed any more. */
	void end() {
		this.over = true;
	}

	// Until when it is valid

	/** Until when it is valid without a further renewal. */
	long deadline() {
		return this.validity.until();
	}

	/** What is left of it, in nanoseconds; zero or less once it is over. */
	long remaining() {
		return deadline() - this.clock.nanoTime();
	}

	/** When the store last confirmed it. */
	long confirmedAt() {
		return this.validity.confirmedAt();
	}

	/**
	 * The store has renewed it.
	 * @param sent the term that was requested
	 * @param sentAt when the renewal was sent
	 * @param renewed the answer
	 * @return until when it was valid before
	 */
	long confirmed(LeaseTerm sent, long sentAt, RenewResult.Renewed renewed) {
		long before = deadline();
		long certain = renewed.grant().remainingMillis();
		this.grantedLess = certain < sent.duration().toMillis();
		this.unconfirmed = false;
		validUntil(LocalDeadline.after(sentAt, certain));
		this.handOffs.confirmed(renewed.grant(), renewed.waiters(), sentAt, confirmedAt());
		if (this.shared && renewed.waiters() == 0) {
			this.handOffs.uncontended(sentAt);
		}
		return before;
	}

	/**
	 * Creates the renewal that is sent now, and plans its repetition.
	 * @param key the key
	 * @param asked the term that it asks for
	 * @param now the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @return the renewal
	 */
	RenewCommand renewal(String key, LeaseTerm asked, long now, long timeoutNanos) {
		if (asked.nanos() > this.longest.nanos()) {
			this.longest = asked;
		}
		sent(now, timeoutNanos, deadline() - now);
		return new RenewCommand(key, this.request, asked.duration(), reserveTokens(), this.shared);
	}

	/** The store has confirmed it; no renewal shortens a lease. */
	void validUntil(long until) {
		long later = (until - deadline() > 0) ? until : deadline();
		this.validity = new Validity(later, this.clock.nanoTime(), this.clock.skipped());
	}

	/**
	 * Returns why a hold is over: suspended, if it would still be held had the clock not
	 * skipped some time; unconfirmed, if it was handed over and not confirmed since then.
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

	/** Returns how long it was to last without a renewal, for a report of its loss. */
	Duration length(LossReason why) {
		boolean brief = why == LossReason.UNCONFIRMED && this.granted.toNanos() < term().nanos();
		return brief ? this.granted : term().duration();
	}

	// Renewals

	LeaseTerm term() {
		return this.wanted.term();
	}

	/** What a renewal asks for now: of a lease that is granted in parts the rest. */
	LeaseTerm asked(long now) {
		if (!this.inParts) {
			return term();
		}
		return new LeaseTerm(Duration.ofNanos(Math.max(LEAST_TERM, this.wanted.until() - now)), false);
	}

	/**
	 * Whether a fixed lease is granted in parts. Nobody keeps it for longer than was
	 * wanted, so it goes on also if its owner has ended.
	 */
	boolean isInParts() {
		return this.inParts;
	}

	/** What is left of the lease, or of what the store is to be asked for as well. */
	private long lasting(long remaining, long now) {
		return this.inParts ? Math.max(remaining, this.wanted.until() - now) : remaining;
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

	/** Whether a renewed lease is still renewed; it is not once its owner has ended. */
	boolean goesOn() {
		return this.scheduled || !term().renewed();
	}

	/**
	 * What is left is not certain until it is renewed: a renewal that is scheduled is
	 * sent now.
	 */
	void suspect(long now) {
		if ((term().renewed() || this.inParts) && this.scheduled) {
			hurry(now);
		}
	}

	/** Schedules a renewal now, even for a fixed term. */
	void hurry(long now) {
		within(now, 0);
	}

	/**
	 * Schedules a renewal now that only confirms: a fixed lease keeps its end, and one
	 * that is no longer renewed is left to end. One that is scheduled anyway is sent now.
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 */
	void confirm(long remaining, long now) {
		if (this.scheduled) {
			doubt(now);
		}
		else if (!term().renewed() && remaining >= LEAST_TERM) {
			want(new LeaseTerm(Duration.ofNanos(remaining), false), now);
			doubt(now);
		}
	}

	/** From now on it is to have this term. */
	private void want(LeaseTerm term, long now) {
		this.wanted = new Wanted(term, now + term.nanos());
		this.inParts = false;
	}

	private void doubt(long now) {
		this.inDoubt = true;
		hurry(now);
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

	/** Asks for a renewal that does not wait for the housekeeper. */
	void renewNow(long now) {
		this.urgent = true;
		hurry(now);
	}

	/** Whether a renewal was asked for that does not wait for the housekeeper. */
	boolean isUrgent() {
		return this.urgent;
	}

	void stop() {
		this.scheduled = false;
		this.urgent = false;
		this.inDoubt = false;
		this.inParts = false;
	}

	/** Whether the lease must be extended for a reader with this term. */
	boolean tooShortFor(LeaseTerm wanted, long remaining, long now) {
		return term().renewed() ? wanted.nanos() > term().nanos()
				: wanted.renewed() || wanted.nanos() > lasting(remaining, now);
	}

	/**
	 * Takes over the term of another reader if the lease is too short for it.
	 * @param wanted the term of the reader
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 * @return whether the lease must be extended
	 */
	boolean lengthen(LeaseTerm wanted, long remaining, long now) {
		boolean longer = tooShortFor(wanted, remaining, now);
		if (longer) {
			long rest = lasting(remaining, now);
			Duration duration = (wanted.nanos() > rest) ? wanted.duration() : Duration.ofNanos(rest);
			want(new LeaseTerm(duration, term().renewed() || wanted.renewed()), now);
			hurry(now);
		}
		return longer;
	}

	/**
	 * Makes the lease last for some time from now, if it would not. A renewed lease is
	 * renewed as before.
	 * @param wanted how long it must last
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 * @return whether the lease must be extended
	 */
	boolean extend(LeaseTerm wanted, long remaining, long now) {
		boolean longer = wanted.nanos() > lasting(remaining, now);
		if (longer) {
			boolean enough = term().renewed() && term().nanos() >= wanted.nanos();
			want(enough ? term() : new LeaseTerm(wanted.duration(), term().renewed()), now);
			hurry(now);
		}
		return longer;
	}

	/**
	 * Returns whether another term is asked for than the store has granted. It may be so
	 * after all callers that wanted it have given up.
	 */
	boolean isLengthening() {
		return !term().equals(this.accepted.term());
	}

	/**
	 * The store refuses the term, and would refuse each repetition: the lease goes on as
	 * before.
	 */
	void refused() {
		this.wanted = this.accepted;
		this.scheduled = goesOnAfterGrant();
	}

	/**
	 * Plans the repetition of a renewal that is being sent, so that there are at least
	 * three attempts.
	 * @param now the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @param remaining what is left of the lease, in nanoseconds
	 */
	void sent(long now, long timeoutNanos, long remaining) {
		this.inDoubt = false;
		this.urgent = false;
		within(now, Math.min(timeoutNanos, Math.min(term().nanos() / 6, Math.max(0, remaining) / 3)));
	}

	/**
	 * Plans the next renewal, if any, after all that was asked of the store is answered.
	 * @param now the monotonic clock
	 * @param remaining what is left of the lease, in nanoseconds
	 */
	void planNext(long now, long remaining) {
		this.backoff = this.backoff.reset();
		this.accepted = this.wanted;
		if (this.inDoubt) {
			hurry(now);
		}
		else if (goesOnAfterGrant()) {
			this.scheduled = true;
			this.nextSend = inStep(now, Math.min(term().nanos(), remaining) / 3, term());
		}
		else {
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
		within(now, this.inDoubt ? 0 : this.backoff.delay());
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
		boolean sameTerm = wanted.renewed() && wanted.equals(term());
		return sameTerm && this.scheduled && this.handOffs.allow(remaining, wanted, now);
	}

	/**
	 * Returns whether tokens should be reserved before they run out, but only where a
	 * renewal would be sent anyway, because it extends the lease too.
	 * @param next the term that the next waiter wants, or {@code null} if none waits
	 * @param waiting how many wait, each for a token
	 */
	boolean wantsTokens(@Nullable LeaseTerm next, int waiting) {
		if (this.shared) {
			return false;
		}
		this.handOffs.waiting(term().equals(next) ? waiting : 0);
		return term().renewed() && this.scheduled && !failing() && this.handOffs.wantTokens();
	}

	/** How many tokens the renewal that is being sent reserves. */
	int reserveTokens() {
		return (this.shared || this.inParts || failing()) ? 0 : this.handOffs.reserve();
	}

	/**
	 * A little earlier, so that thousands of locks are renewed together a few times a
	 * second instead of one by one.
	 */
	private static long inStep(long now, long delay, LeaseTerm term) {
		long moment = now + delay;
		// What is left of leases differs a little, and steps that differ never meet.
		long step = (delay >= term.nanos() / 6) ? term.nanos() / 120 : delay / 40;
		return moment - Math.floorMod(moment, Math.max(1, step));
	}

	/**
	 * How long a lease is to last.
	 *
	 * @param term the term
	 * @param until the end of a fixed one
	 */
	private record Wanted(LeaseTerm term, long until) {
	}

	/**
	 * Until when a lease is valid.
	 *
	 * @param until the deadline
	 * @param confirmedAt when the store last confirmed it
	 * @param skippedBefore what the clock had skipped by then
	 */
	private record Validity(long until, long confirmedAt, long skippedBefore) {
	}

}
