package io.distlock;

import java.time.Duration;

/** Durations as users write them: {@code 3s}, {@code 1500ms}. */
final class Durations {

	private Durations() {
	}

	static String describe(Duration duration) {
		if (duration.toNanosPart() % 1_000_000_000 == 0) {
			return duration.toSeconds() + "s";
		}
		return (duration.toNanosPart() % 1_000_000 == 0) ? duration.toMillis() + "ms" : duration.toNanos() + "ns";
	}

}
