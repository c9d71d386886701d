package io.distlock.internal.time;

import java.util.concurrent.TimeUnit;

import io.distlock.spi.ClockDrift;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the store in the answers about one key. Between two answers it cannot
 * advance further than from sending the first command to the arrival of the second
 * answer. Kept per key, because keys may live on servers whose clocks differ. Confined to
 * the monitor of the key.
 */
public final class StoreClock {

	private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private final ClockWatch watch;

	private @Nullable Sample last;

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
		Sample before = this.last;
		if (before != null && before.excess(storeMillis, this.watch.now()) > TOLERANCE_NANOS) {
			// This machine may have slept meanwhile.
			this.watch.check();
			long excess = before.excess(storeMillis, this.watch.now());
			if (excess > TOLERANCE_NANOS) {
				this.watch.storeJumped(excess);
			}
		}
		this.last = new Sample(sentAt, storeMillis);
	}

	/** One answer. */
	private record Sample(long sentAt, long storeMillis) {

		/**
		 * By how much the clock of a later answer is ahead; zero or less if it may be.
		 */
		long excess(long laterMillis, long now) {
			long elapsed = now - this.sentAt;
			return TimeUnit.MILLISECONDS.toNanos(laterMillis - this.storeMillis) - elapsed - ClockDrift.of(elapsed);
		}

	}

}
