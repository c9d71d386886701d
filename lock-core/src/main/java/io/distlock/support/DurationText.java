package io.distlock.support;

import java.time.Duration;

/** Formats durations for messages, in the form in which users write them. */
public final class DurationText {

	private DurationText() {
	}

	/**
	 * Formats a duration in the largest unit that needs no fraction.
	 * @param duration the duration
	 * @return a number and {@code d}, {@code h}, {@code m}, {@code s}, {@code ms} or
	 * {@code ns}, for instance {@code 3s}, {@code 1500ms} or {@code 5m}
	 */
	public static String of(Duration duration) {
		if (duration.getNano() % 1_000_000 != 0) {
			return duration.toNanos() + "ns";
		}
		if (duration.getNano() != 0) {
			return duration.toMillis() + "ms";
		}
		long seconds = duration.getSeconds();
		if (seconds == 0 || seconds % 60 != 0) {
			return seconds + "s";
		}
		long minutes = seconds / 60;
		if (minutes % 60 != 0) {
			return minutes + "m";
		}
		long hours = minutes / 60;
		return (hours % 24 != 0) ? hours + "h" : hours / 24 + "d";
	}

}
