package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

/**
 * How long a lock may still be handed from thread to thread in this process while other
 * processes are known to wait: the number of hand-offs and their time are limited.
 *
 * @param since since when others are known to wait
 * @param handOffs how often the lock was handed on since then
 */
record HandOffBudget(long since, int handOffs) {

	private static final int HAND_OFFS = 64;

	private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** Whether the lock may be handed on. */
	boolean allows(long now) {
		// mutant: contended-hand-offs
		boolean few = this.handOffs < HAND_OFFS;
		// mutant: contended-time
		return few && now - this.since < NANOS;
	}

	/** The lock was handed on. */
	HandOffBudget spent() {
		return new HandOffBudget(this.since, this.handOffs + 1);
	}

}
