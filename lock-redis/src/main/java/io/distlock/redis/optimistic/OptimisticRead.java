package io.distlock.redis.optimistic;

import org.springframework.data.redis.connection.StringRedisConnection;

/**
 * Reads what it needs and decides what to write. Runs once per attempt, so it must have
 * no effects other than the writes that it returns.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface OptimisticRead<T> {

	/**
	 * Reads and decides. The keys are watched already: a decision that rests on other
	 * keys may be out of date when it is written.
	 * @param redis the connection to read with; valid during this call only
	 * @return what to write, and the result
	 */
	OptimisticChange<T> read(StringRedisConnection redis);

}
