package io.distlock.redis.optimistic;

import java.time.Duration;

import io.distlock.support.DurationText;

/**
 * How often and how fast a change is tried again.
 *
 * @param maxAttempts how often the keys are read at most, from 1 to 10,000
 * @param backoff the longest pause after the first attempt; doubles with each further one
 * @param maxBackoff the longest pause of all; a pause is a random part of it, so that
 * callers that met do not meet again
 */
public record OptimisticSettings(int maxAttempts, Duration backoff, Duration maxBackoff) {

	private static final int MOST_ATTEMPTS = 10_000;

	private static final Duration LONGEST = Duration.ofMinutes(1);

	/** 16 attempts, with pauses of at most 1 ms, 2 ms, 4 ms … 64 ms. */
	public static final OptimisticSettings DEFAULTS = new OptimisticSettings(16, Duration.ofMillis(1),
			Duration.ofMillis(64));

	/**
	 * Checks the ranges.
	 * @param maxAttempts how often the keys are read at most
	 * @param backoff the longest pause after the first attempt
	 * @param maxBackoff the longest pause of all
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public OptimisticSettings {
		if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
			throw new IllegalArgumentException(
					"maxAttempts is " + maxAttempts + ", must be from 1 to " + MOST_ATTEMPTS);
		}
		check("backoff", backoff);
		check("maxBackoff", maxBackoff);
		if (backoff.compareTo(maxBackoff) > 0) {
			throw new IllegalArgumentException("backoff is " + DurationText.of(backoff) + ", must not be longer than "
					+ "maxBackoff, which is " + DurationText.of(maxBackoff));
		}
	}

	/**
	 * Returns a copy with another number of attempts.
	 * @param maxAttempts how often the keys are read at most
	 * @return the copy
	 */
	public OptimisticSettings withMaxAttempts(int maxAttempts) {
		return new OptimisticSettings(maxAttempts, this.backoff, this.maxBackoff);
	}

	/**
	 * Returns a copy with other pauses.
	 * @param backoff the longest pause after the first attempt
	 * @param maxBackoff the longest pause of all
	 * @return the copy
	 */
	public OptimisticSettings withBackoff(Duration backoff, Duration maxBackoff) {
		return new OptimisticSettings(this.maxAttempts, backoff, maxBackoff);
	}

	/** The longest pause after so many attempts. */
	Duration longestPause(int attempts) {
		Duration pause = this.backoff;
		for (int i = 1; i < attempts && pause.compareTo(this.maxBackoff) < 0; i++) {
			pause = pause.multipliedBy(2);
		}
		return (pause.compareTo(this.maxBackoff) < 0) ? pause : this.maxBackoff;
	}

	private static void check(String name, Duration value) {
		if (value.isNegative() || value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException(
					name + " is " + DurationText.of(value) + ", must be from 0 to " + DurationText.of(LONGEST));
		}
	}

}
