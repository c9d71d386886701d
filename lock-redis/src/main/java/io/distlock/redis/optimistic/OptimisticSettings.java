package io.distlock.redis.optimistic;

import java.time.Duration;
import java.util.Objects;

import io.distlock.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * How often and how fast a change is tried again. Immutable; created by a
 * {@linkplain #builder() builder}.
 */
public final class OptimisticSettings {

	private static final int MOST_ATTEMPTS = 10_000;

	private static final Duration LONGEST = Duration.ofMinutes(1);

	/** 16 attempts, with pauses of at most 1 ms, 2 ms, 4 ms … 64 ms. */
	public static final OptimisticSettings DEFAULTS = builder().build();

	private final int maxAttempts;

	private final Duration backoff;

	private final Duration maxBackoff;

	private OptimisticSettings(Builder builder) {
		this.maxAttempts = builder.maxAttempts;
		this.backoff = builder.backoff;
		this.maxBackoff = builder.maxBackoff;
		if (this.maxAttempts < 1 || this.maxAttempts > MOST_ATTEMPTS) {
			throw new IllegalArgumentException(
					"maxAttempts is " + this.maxAttempts + ", must be from 1 to " + MOST_ATTEMPTS);
		}
		check("backoff", this.backoff);
		check("maxBackoff", this.maxBackoff);
		if (this.backoff.compareTo(this.maxBackoff) > 0) {
			throw new IllegalArgumentException("backoff is " + DurationText.of(this.backoff)
					+ ", must not be longer than maxBackoff, which is " + DurationText.of(this.maxBackoff));
		}
	}

	private static void check(String name, Duration value) {
		if (value.isNegative() || value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException(
					name + " is " + DurationText.of(value) + ", must be from 0 to " + DurationText.of(LONGEST));
		}
	}

	/**
	 * Starts with the defaults.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns how often the keys are read at most.
	 * @return from 1 to 10,000
	 */
	public int maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Returns the longest pause after the first attempt.
	 * @return the pause; doubles with each further attempt
	 */
	public Duration backoff() {
		return this.backoff;
	}

	/**
	 * Returns the longest pause of all.
	 * @return the pause, at most a minute
	 */
	public Duration maxBackoff() {
		return this.maxBackoff;
	}

	/** The longest pause after so many attempts. */
	Duration longestPause(int attempts) {
		Duration pause = this.backoff;
		for (int i = 1; i < attempts && pause.compareTo(this.maxBackoff) < 0; i++) {
			pause = pause.multipliedBy(2);
		}
		return (pause.compareTo(this.maxBackoff) < 0) ? pause : this.maxBackoff;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof OptimisticSettings settings && this.maxAttempts == settings.maxAttempts
				&& this.backoff.equals(settings.backoff) && this.maxBackoff.equals(settings.maxBackoff);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.maxAttempts, this.backoff, this.maxBackoff);
	}

	@Override
	public String toString() {
		return "OptimisticSettings[maxAttempts=" + this.maxAttempts + ", backoff=" + this.backoff + ", maxBackoff="
				+ this.maxBackoff + "]";
	}

	/** Collects settings. */
	public static final class Builder {

		private int maxAttempts = 16;

		private Duration backoff = Duration.ofMillis(1);

		private Duration maxBackoff = Duration.ofMillis(64);

		private Builder() {
		}

		/**
		 * Sets how often the keys are read at most.
		 * @param maxAttempts from 1 to 10,000
		 * @return this builder
		 */
		public Builder maxAttempts(int maxAttempts) {
			this.maxAttempts = maxAttempts;
			return this;
		}

		/**
		 * Sets the longest pause after the first attempt, which doubles with each further
		 * one. A pause is a random part of it, so that callers that met do not meet
		 * again.
		 * @param backoff from zero to the longest pause of all
		 * @return this builder
		 */
		public Builder backoff(Duration backoff) {
			this.backoff = Objects.requireNonNull(backoff, "'backoff' must not be null");
			return this;
		}

		/**
		 * Sets the longest pause of all.
		 * @param maxBackoff from zero to a minute
		 * @return this builder
		 */
		public Builder maxBackoff(Duration maxBackoff) {
			this.maxBackoff = Objects.requireNonNull(maxBackoff, "'maxBackoff' must not be null");
			return this;
		}

		/**
		 * Checks the values.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of its range
		 */
		public OptimisticSettings build() {
			return new OptimisticSettings(this);
		}

	}

}
