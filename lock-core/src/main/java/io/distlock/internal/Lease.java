package io.distlock.internal;

import java.time.Duration;

/**
 * How long a hold lasts.
 *
 * @param duration until it ends by itself
 * @param renewed whether it is extended while held, at a third of the duration
 */
record Lease(Duration duration, boolean renewed) {

	long nanos() {
		return Math.min(this.duration.toMillis(), Long.MAX_VALUE / 8_000_000) * 1_000_000;
	}

}
