package io.distlock.observe;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/** Formats parts of the descriptions. */
final class Texts {

	private Texts() {
	}

	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

	/** Formats a time, which may be less than a millisecond. */
	static String of(Duration time) {
		long micros = TimeUnit.NANOSECONDS.toMicros(Math.max(0, time.toNanos()));
		return (micros < 1000) ? micros + "us" : DurationText.of(time.truncatedTo(ChronoUnit.MILLIS));
	}

	static String by(String caller) {
		return caller.isEmpty() ? "" : "," + from(caller);
	}

	static String from(String caller) {
		return " by " + ForeignText.of(caller);
	}

}
