package io.distlock.text;

import java.time.Duration;

/** Formats durations for messages, in the form in which users write them. */
public final class DurationText {

	private static final Duration DAY = Duration.ofDays(1);

	private DurationText() {
	}

	/**
	 * Formats a duration in the largest unit of days, seconds, milliseconds and
	 * nanoseconds that shows it exactly.
	 * @param duration the duration
	 * @return for instance {@code 3s}, {@code 1500ms}, {@code 250ns} or {@code 365d}
	 */
	public static String of(Duration duration) {
		if (duration.getNano() % 1_000_000 != 0) {
			return duration.toNanos() + "ns";
		}
		if (duration.getNano() != 0) {
			return duration.toMillis() + "ms";
		}
		boolean days = !duration.isZero() && duration.toSeconds() % DAY.toSeconds() == 0;
		return days ? duration.toDays() + "d" : duration.toSeconds() + "s";
	}

}
