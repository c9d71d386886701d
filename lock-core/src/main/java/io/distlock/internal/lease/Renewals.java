package io.distlock.internal.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;

/**
 * When a lease is renewed next, and for which term. Confined to the monitor of the key.
 */
public final class Renewals {

	/** The shortest term, which is the resolution of leases. */
	private static final long LEAST_TERM = TimeUnit.MILLISECONDS.toNanos(1);

	private Plan plan;

	/** The longest term that was ever requested. */
	private LeaseTerm longest;

	private Backoff backoff;

	private boolean scheduled;

	private long nextSend;

	/**
	 * Plans the renewals of a lease that was just granted.
	 * @param term the term that was granted
	 * @param now the monotonic clock
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param backoff when to repeat a failed renewal
	 */
	Renewals(LeaseTerm term, long now, long remaining, Backoff backoff) {
		this.plan = Plan.of(term);
		this.longest = term;
		this.backoff = backoff;
		this.nextSend = third(now, remaining, term);
		this.scheduled = term.renewed();
	}

	/** Returns the term that the owners want. */
	public LeaseTerm term() {
		return this.plan.term();
	}

	/** Returns the longest term that was ever requested. */
	public LeaseTerm longest() {
		return this.longest;
	}

	/** Returns whether a renewal or its repetition is planned. */
	public boolean scheduled() {
		return this.scheduled;
	}

	/** Returns when the next renewal is sent, if one is scheduled. */
	public long nextSend() {
		return this.nextSend;
	}

	/** Returns whether a renewal must be sent now. */
	public boolean due(long now) {
		return this.scheduled && now - this.nextSend >= 0;
	}

	/** Returns when a renewal is due, but no later than the given moment. */
	public long dueBy(long latest) {
		return this.scheduled ? LocalDeadline.earlier(latest, this.nextSend) : latest;
	}

	/** Returns whether the last renewal failed. */
	boolean failing() {
		return this.backoff.failing();
	}

	/**
	 * Returns whether the renewals ask for something that the store has not granted yet.
	 */
	public boolean isAsking() {
		return this.plan instanceof Plan.Lengthening || this.plan instanceof Plan.Doubt;
	}

	/**
	 * Returns whether the lease goes on as its owners want. That is so if the lease is
	 * fixed or still renewed.
	 */
	public boolean goesOn() {
		return this.scheduled || !term().renewed();
	}

	// When the next one is sent

	/** Schedules a renewal now, even for a fixed term. */
	public void hurry(long now) {
		within(now, 0);
	}

	/** Schedules a renewal within some time, even for a fixed term. */
	public void within(long now, long nanos) {
		this.scheduled = true;
		this.nextSend = now + nanos;
	}

	/** Schedules a renewal at a moment, if none is due before. */
	public void noLaterThan(long moment) {
		this.nextSend = this.scheduled ? LocalDeadline.earlier(this.nextSend, moment) : moment;
		this.scheduled = true;
	}

	/** Plans no more renewals. */
	public void stop() {
		this.scheduled = false;
	}

	// What it asks for

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
		else if (this.plan instanceof Plan.Fixed fixed && remaining >= LEAST_TERM) {
			this.plan = new Plan.Doubt(fixed);
			hurry(now);
		}
	}

	/** Returns whether the lease must be extended for a reader with this term. */
	public boolean tooShortFor(LeaseTerm wanted, long remaining) {
		return term().renewed() ? wanted.nanos() > term().nanos() : wanted.renewed() || wanted.nanos() > remaining;
	}

	/**
	 * Takes over the term of another reader if the lease is too short for it.
	 * @param wanted the term of the reader
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param now the monotonic clock
	 * @return whether the lease must be extended
	 */
	public boolean lengthen(LeaseTerm wanted, long remaining, long now) {
		boolean longer = tooShortFor(wanted, remaining);
		if (longer) {
			Duration duration = (wanted.nanos() > remaining) ? wanted.duration() : Duration.ofNanos(remaining);
			want(new LeaseTerm(duration, term().renewed() || wanted.renewed()), now);
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
	public boolean extend(LeaseTerm wanted, long remaining, long now) {
		boolean longer = wanted.nanos() > remaining;
		boolean enough = term().renewed() && term().nanos() >= wanted.nanos();
		if (longer && enough) {
			hurry(now);
		}
		else if (longer) {
			want(new LeaseTerm(wanted.duration(), term().renewed()), now);
		}
		return longer;
	}

	/**
	 * Requests a longer term, or an even longer one that is requested already: the caller
	 * that wants it still waits for its answer.
	 */
	private void want(LeaseTerm longer, long now) {
		Plan before = this.plan.refused();
		boolean pending = this.plan instanceof Plan.Lengthening && term().nanos() > longer.nanos();
		LeaseTerm wanted = pending ? new LeaseTerm(term().duration(), longer.renewed()) : longer;
		this.plan = new Plan.Lengthening(wanted, before);
		hurry(now);
	}

	// A renewal and its answer

	/**
	 * Begins a renewal, and plans its repetition, so that there are at least three
	 * attempts.
	 * @param now the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @param remaining what is left of the lease, in nanoseconds
	 * @return the term to request
	 */
	LeaseTerm sent(long now, long timeoutNanos, long remaining) {
		LeaseTerm requested = this.plan.requested(Math.max(LEAST_TERM, remaining));
		if (requested.nanos() > this.longest.nanos()) {
			this.longest = requested;
		}
		within(now, Math.min(timeoutNanos, Math.min(requested.nanos() / 6, Math.max(0, remaining) / 3)));
		return requested;
	}

	/**
	 * Plans the next renewal, if any, after the store has answered every question.
	 * @param now the monotonic clock
	 * @param remaining what is left of the lease, in nanoseconds
	 */
	public void planNext(long now, long remaining) {
		this.backoff = this.backoff.reset();
		this.plan = this.plan.granted();
		this.scheduled = term().renewed();
		if (this.scheduled) {
			this.nextSend = third(now, remaining, term());
		}
	}

	/**
	 * Continues the lease as before. The store refuses what was requested, and would
	 * refuse it again.
	 */
	public void refused() {
		this.plan = this.plan.refused();
		this.scheduled = term().renewed();
	}

	/**
	 * Plans the repetition of a renewal that failed.
	 * @param now the monotonic clock
	 * @return {@code true} for the first failure in a row
	 */
	boolean failed(long now) {
		boolean first = !this.backoff.failing();
		within(now, this.backoff.delay());
		this.backoff = this.backoff.next();
		return first;
	}

	/**
	 * Returns when a third of the lease is over, or slightly earlier, so that the
	 * renewals of thousands of locks fall on a few moments a second.
	 */
	private static long third(long now, long remaining, LeaseTerm term) {
		long delay = Math.min(term.nanos(), remaining) / 3;
		long moment = now + delay;
		// The step depends on the term: steps that depend on the rest of a lease would
		// differ from lease to lease.
		long step = (delay >= term.nanos() / 6) ? term.nanos() / 120 : delay / 40;
		return moment - Math.floorMod(moment, Math.max(1, step));
	}

}
