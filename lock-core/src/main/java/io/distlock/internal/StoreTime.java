package io.distlock.internal;

import java.util.concurrent.TimeUnit;

/**
 * The clock of the store as the answers about one key show it: between two of them it
 * cannot have gone further than the time from sending the first command to the arrival of
 * the second answer. Per key, as keys may live on servers whose clocks differ. Confined
 * to the monitor of the key.
 */
final class StoreTime {

	private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long DRIFT_PARTS = 1000;

	private final EngineClock clock;

	private final ClockWatch watch;

	private boolean known;

	private long sentAt;

	private long storeMillis;

	StoreTime(EngineClock clock, ClockWatch watch) {
		this.clock = clock;
		this.watch = watch;
	}

	/**
	 * An answer came.
	 * @param commandSentAt when its command was sent
	 * @param answeredAt the clock of the store when it answered, in milliseconds
	 */
	void observe(long commandSentAt, long answeredAt) {
		if (this.known && ahead(answeredAt) > TOLERANCE_NANOS) {
			// This machine may have slept meanwhile.
			this.watch.look();
			long ahead = ahead(answeredAt);
			if (ahead > TOLERANCE_NANOS) {
				this.watch.storeJumped(ahead);
			}
		}
		this.known = true;
		this.sentAt = commandSentAt;
		this.storeMillis = answeredAt;
	}

	private long ahead(long answeredAt) {
		long elapsed = this.clock.nanoTime() - this.sentAt;
		return TimeUnit.MILLISECONDS.toNanos(answeredAt - this.storeMillis) - elapsed - elapsed / DRIFT_PARTS;
	}

}
