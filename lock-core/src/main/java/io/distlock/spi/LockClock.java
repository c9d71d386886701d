package io.distlock.spi;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * The time a lock engine lives by. Deadlines use the monotonic clock only; the wall clock
 * is for messages.
 */
public interface LockClock {

	/**
	 * The monotonic clock.
	 * @return nanoseconds since an arbitrary moment
	 */
	long nanoTime();

	/**
	 * The wall clock.
	 * @return the moment, for messages
	 */
	Instant instant();

	/**
	 * Parks the calling thread until unparked, interrupted, or the time has passed on
	 * this clock; may return early for no reason.
	 * @param nanos how long at the most
	 */
	void park(long nanos);

	/**
	 * The machine's clock.
	 * @return a clock
	 */
	static LockClock system() {
		return new LockClock() {

			private static final long CENTURIES = Long.MAX_VALUE / 8;

			@Override
			public long nanoTime() {
				return System.nanoTime();
			}

			@Override
			public Instant instant() {
				return Instant.now();
			}

			@Override
			public void park(long nanos) {
				if (nanos < CENTURIES) {
					LockSupport.parkNanos(this, nanos);
				}
				else {
					// Spares a virtual thread a timer.
					LockSupport.park(this);
				}
			}

		};
	}

}
