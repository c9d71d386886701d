package io.distlock.redis.optimistic;

import java.util.Optional;
import java.util.function.Consumer;

import org.springframework.data.redis.connection.StringRedisConnection;

/**
 * The decision of one attempt: a result, and the commands that make it true.
 *
 * @param <T> type of the result
 * @param value the result
 * @param writes sends the commands, which Redis runs together or not at all; empty to
 * change nothing
 */
public record OptimisticChange<T>(T value, Optional<Consumer<StringRedisConnection>> writes) {

	/**
	 * Decides to write.
	 * @param <T> type of the result
	 * @param value the result if the keys are unchanged when Redis gets the commands
	 * @param writes sends the commands; they return {@code null}, since Redis collects
	 * them until all are there
	 * @return the decision
	 */
	public static <T> OptimisticChange<T> write(T value, Consumer<StringRedisConnection> writes) {
		return new OptimisticChange<>(value, Optional.of(writes));
	}

	/**
	 * Decides to change nothing.
	 * @param <T> type of the result
	 * @param value the result, whatever happened to the keys since they were read
	 * @return the decision
	 */
	public static <T> OptimisticChange<T> none(T value) {
		return new OptimisticChange<>(value, Optional.empty());
	}

}
