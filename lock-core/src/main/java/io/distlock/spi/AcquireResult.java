package io.distlock.spi;

import java.time.Duration;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/** The store's answer to an {@link AcquireCommand}. */
public sealed interface AcquireResult {

	/**
	 * The request holds the lock.
	 *
	 * @param grant the hold
	 * @param waiters how many other instances wait in the store's queue
	 */
	record Granted(Grant grant, int waiters) implements AcquireResult {
	}

	/**
	 * Another owner holds the lock or waits for it. The request stays in the queue as
	 * long as the engine repeats it in time.
	 *
	 * @param storeTime the store's clock when it answered, in milliseconds
	 * @param pollWithin when to repeat the command at the latest
	 * @param holder the holder, or one of several holders, or {@code null} when not known
	 */
	record Queued(long storeTime, Duration pollWithin, @Nullable Holder holder) implements AcquireResult {
	}

	/**
	 * Another owner holds the lock or waits for it; the request is over and its number is
	 * used up.
	 *
	 * @param holder the holder, or one of several holders, or {@code null} when not known
	 */
	record Busy(@Nullable Holder holder) implements AcquireResult {
	}

	/** The request had already ended. Its number is used up. */
	record Ended() implements AcquireResult {
	}

}
