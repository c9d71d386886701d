package io.distlock.spi;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * The clocks that a lock engine uses. Deadlines use the monotonic clock only; the wall
 * clock is for messages.
 */
public interface LockClock {

	/**
	 * Returns the time of the monotonic clock.
	 * @return nanoseconds since an arbitrary moment
	 */
	long nanoTime();

	/**
	 * Returns the time of the wall clock.
	 * @return the moment, for messages
	 */
	Instant instant();

	/**
	 * Returns the time of the wall clock as a number. Called for each acquisition.
	 * @return milliseconds since the epoch, like {@link #instant()}
	 */
	default long epochMillis() {
		return instant().toEpochMilli();
	}

	/**
	 * Parks the calling thread until it is unparked or interrupted, or until the time has
	 * passed on this clock. The method may return early for no reason.
	 * @param nanos the longest time to park
	 */
	void park(long nanos);

	/**
	 * Returns the machine's clocks.
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
			public long epochMillis() {
				return System.currentTimeMillis();
			}

			@Override
			public void park(long nanos) {
				if (nanos < CENTURIES) {
					LockSupport.parkNanos(this, nanos);
				}
				else {
					// A virtual thread then needs no timer.
					LockSupport.park(this);
				}
			}

		};
	}

}
