package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

/**
 * How long a lock may be handed from thread to thread in this process before other
 * processes get their turn. Once other processes are known to wait, the number of
 * hand-offs and their time are limited. Without news from the store the time is limited
 * too: a lost message must not starve other processes.
 *
 * @param seenAt when the store last reported the waiting processes
 * @param contended whether other processes are known to wait
 * @param contendedAt since when
 * @param handOffs how often the lock was handed on since then
 */
record HandOffBudget(long seenAt, boolean contended, long contendedAt, int handOffs) {

	private static final int HAND_OFFS_WHEN_CONTENDED = 64;

	private static final long NANOS_WHEN_CONTENDED = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long NANOS_UNSEEN = TimeUnit.SECONDS.toNanos(1);

	/** The budget of a lease that was just granted. */
	static HandOffBudget full(long now) {
		return new HandOffBudget(now, false, now, 0);
	}

	/** Whether the lock may be handed on. */
	boolean allows(long now) {
		if (this.contended) {
			// mutant: contended-hand-offs
			boolean few = this.handOffs < HAND_OFFS_WHEN_CONTENDED;
			// mutant: contended-time
			return few && now - this.contendedAt < NANOS_WHEN_CONTENDED;
		}
		// mutant: unseen-time
		return now - this.seenAt < NANOS_UNSEEN;
	}

	/** Another process waits: from now on hand-offs are counted. */
	HandOffBudget contendedSince(long now) {
		return this.contended ? this : new HandOffBudget(this.seenAt, true, now, 0);
	}

	/** No process waited at a moment; one that came since then still counts. */
	HandOffBudget uncontendedAt(long moment) {
		// mutant: uncontended
		boolean still = this.contended && this.contendedAt - moment >= 0;
		return new HandOffBudget(this.seenAt, still, this.contendedAt, this.handOffs);
	}

	/** The lock was handed on. That counts only while other processes wait. */
	HandOffBudget spent() {
		return this.contended ? new HandOffBudget(this.seenAt, true, this.contendedAt, this.handOffs + 1) : this;
	}

	HandOffBudget seen(long moment) {
		return new HandOffBudget(moment, this.contended, this.contendedAt, this.handOffs);
	}

}
