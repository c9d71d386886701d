package io.distlock.internal.time;

import java.time.Duration;

/**
 * Says how long a hold lasts.
 *
 * @param duration until it ends without a renewal
 * @param renewed whether it is renewed while held, every third of the duration
 */
public record LeaseTerm(Duration duration, boolean renewed) {

	/**
	 * Returns the duration, cut to whole milliseconds because stores count in
	 * milliseconds.
	 * @return nanoseconds
	 */
	public long nanos() {
		return Math.min(this.duration.toMillis(), Long.MAX_VALUE / 8_000_000) * 1_000_000;
	}

}
