package io.distlock.internal;

import java.time.Duration;

import io.distlock.spi.LockClock;

/**
 * When a hold is to be renewed, and with which lease. Confined to the monitor of the
 * lock's entry.
 */
final class Renewal {

	private final Backoff backoff;

	private Lease lease;

	private boolean scheduled;

	private long nextSend;

	Renewal(Lease lease, long now, Backoff backoff) {
		this.backoff = backoff;
		this.lease = lease;
		this.nextSend = inStep(now, lease.nanos() / 3);
		this.scheduled = lease.renewed();
	}

	Lease lease() {
		return this.lease;
	}

	long nextSend() {
		return this.nextSend;
	}

	/** Asks for a renewal as soon as possible, be it a fixed lease. */
	void hurry(long now) {
		within(now, 0);
	}

	/** Asks for a renewal within some time, be it a fixed lease. */
	void within(long now, long nanos) {
		this.scheduled = true;
		this.nextSend = now + nanos;
	}

	/** Asks for a renewal at a moment, if it is not due before. */
	void noLaterThan(long moment) {
		this.nextSend = this.scheduled ? LocalDeadline.earlier(this.nextSend, moment) : moment;
		this.scheduled = true;
	}

	/** Whether the hold must be extended for a wish. */
	boolean tooShortFor(Lease wish, long remaining) {
		return this.lease.renewed() ? wish.nanos() > this.lease.nanos() : wish.renewed() || wish.nanos() > remaining;
	}

	/**
	 * Takes in the wish of a nested acquisition.
	 * @param wish the lease it wants
	 * @param remaining what is left of the hold, in nanoseconds
	 * @param now the monotonic clock
	 * @return {@code true} if the hold must be extended for it
	 */
	boolean lengthen(Lease wish, long remaining, long now) {
		boolean longer = tooShortFor(wish, remaining);
		if (longer) {
			Duration duration = (wish.nanos() > remaining) ? wish.duration() : Duration.ofNanos(remaining);
			this.lease = new Lease(duration, this.lease.renewed() || wish.renewed());
			hurry(now);
		}
		return longer;
	}

	/**
	 * Asks for one more renewal, the last one.
	 * @param rest how long the hold is to last
	 * @param now the monotonic clock
	 */
	void once(Duration rest, long now) {
		this.lease = new Lease(rest, false);
		hurry(now);
	}

	/**
	 * A little earlier, so that thousands of locks are renewed together a few times a
	 * second instead of one by one.
	 */
	private static long inStep(long now, long delay) {
		long moment = now + delay;
		return moment - Math.floorMod(moment, Math.max(1, delay / 40));
	}

	boolean due(long now) {
		return this.scheduled && now - this.nextSend >= 0;
	}

	boolean failing() {
		return !this.backoff.first();
	}

	/** Whether what is to be renewed is; if nobody is there any more, it is not. */
	boolean goesOn() {
		return this.scheduled || !this.lease.renewed();
	}

	boolean scheduled() {
		return this.scheduled;
	}

	long dueBy(long latest) {
		return this.scheduled ? LocalDeadline.earlier(latest, this.nextSend) : latest;
	}

	/**
	 * Sent; repeated if no answer comes, so that there are three tries at least.
	 * @param now the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @param remaining what is left of the hold
	 */
	void sent(long now, long timeoutNanos, long remaining) {
		within(now, Math.min(timeoutNanos, Math.min(this.lease.nanos() / 6, Math.max(0, remaining) / 3)));
	}

	void confirmed(long now, long remaining) {
		this.backoff.reset();
		if (this.lease.renewed()) {
			this.scheduled = true;
			this.nextSend = inStep(now, Math.min(this.lease.nanos(), remaining) / 3);
		}
		else {
			stop();
		}
	}

	/**
	 * A renewal failed.
	 * @param clock for the time of the next try
	 * @return {@code true} for the first failure in a row
	 */
	boolean failed(LockClock clock) {
		boolean first = this.backoff.first();
		within(clock.nanoTime(), this.backoff.next());
		return first;
	}

	void stop() {
		this.scheduled = false;
	}

}
