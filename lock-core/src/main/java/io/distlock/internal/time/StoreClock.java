package io.distlock.internal.time;

import java.util.concurrent.TimeUnit;

import io.distlock.spi.ClockDrift;

/**
 * The clock of the store in the answers about one key. Between two answers it cannot
 * advance further than from sending the first command to the arrival of the second
 * answer. Kept per key, because keys may live on servers whose clocks differ. Confined to
 * the monitor of the key.
 */
public final class StoreClock {

	private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private final ClockWatch watch;

	/** Whether there was an answer. */
	private boolean known;

	/** When the command of the last answer was sent. */
	private long lastSentAt;

	/** The clock of the store in the last answer. */
	private long lastMillis;

	/**
	 * Creates a clock without answers.
	 * @param watch informed of jumps
	 */
	public StoreClock(ClockWatch watch) {
		this.watch = watch;
	}

	/**
	 * An answer arrived.
	 * @param sentAt when its command was sent, by the monotonic clock
	 * @param storeMillis the clock of the store when it answered
	 */
	public void observe(long sentAt, long storeMillis) {
		if (this.known && excess(storeMillis) > TOLERANCE_NANOS) {
			// This machine may have slept meanwhile.
			this.watch.check();
			long excess = excess(storeMillis);
			if (excess > TOLERANCE_NANOS) {
				this.watch.storeJumped(excess);
			}
		}
		this.known = true;
		this.lastSentAt = sentAt;
		this.lastMillis = storeMillis;
	}

	/** By how much the clock of an answer is ahead; zero or less if it may be. */
	private long excess(long storeMillis) {
		long elapsed = this.watch.now() - this.lastSentAt;
		return TimeUnit.MILLISECONDS.toNanos(storeMillis - this.lastMillis) - elapsed - ClockDrift.of(elapsed);
	}

}
