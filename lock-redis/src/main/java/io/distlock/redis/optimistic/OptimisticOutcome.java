package io.distlock.redis.optimistic;

import java.util.Optional;

/**
 * What became of a change.
 *
 * @param <T> type of the result
 */
public sealed interface OptimisticOutcome<T> {

	/**
	 * Returns how often the keys were read.
	 * @return at least 1
	 */
	int attempts();

	/**
	 * Returns the result of the last attempt.
	 * @return empty if another client changed a key during each attempt
	 */
	Optional<T> value();

	/**
	 * The writes took effect, and no other client changed the keys between reading and
	 * writing.
	 *
	 * @param <T> type of the result
	 * @param result what the decision returned
	 * @param attempts how often the keys were read
	 */
	record Written<T>(T result, int attempts) implements OptimisticOutcome<T> {

		@Override
		public Optional<T> value() {
			return Optional.of(result());
		}

	}

	/**
	 * The decision was to change nothing.
	 *
	 * @param <T> type of the result
	 * @param result what the decision returned
	 * @param attempts how often the keys were read
	 */
	record Unchanged<T>(T result, int attempts) implements OptimisticOutcome<T> {

		@Override
		public Optional<T> value() {
			return Optional.of(result());
		}

	}

	/**
	 * Nothing was written: another client changed a key during each attempt, or the
	 * thread was interrupted between two of them.
	 *
	 * @param <T> type of the result
	 * @param attempts how often the keys were read
	 */
	record Contended<T>(int attempts) implements OptimisticOutcome<T> {

		@Override
		public Optional<T> value() {
			return Optional.empty();
		}

	}

}
