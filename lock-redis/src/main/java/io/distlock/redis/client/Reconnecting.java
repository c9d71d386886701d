package io.distlock.redis.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection open, in the background. Attempts to connect are numbered and only
 * the last one counts: an attempt that hangs is given up for another one, and what it
 * opens late is closed. After a failure there is a pause.
 *
 * @param <T> type of the connection
 */
final class Reconnecting<T> {

	/** Guards this state and that of the owner, which shares it. */
	private final ReentrantLock monitor;

	private final Source<T> source;

	private final Executor connector;

	private final Duration longestAttempt;

	private final Duration pause;

	private final LongSupplier nanoTime;

	private volatile @Nullable T current;

	private boolean connecting;

	private int attempt;

	private long attemptedAt;

	private @Nullable Throwable failure;

	private boolean closed;

	/**
	 * Opens and closes connections, and learns of the outcome of attempts that count.
	 *
	 * @param <T> type of the connection
	 */
	interface Source<T> {

		/**
		 * Opens a connection, on a thread of the connector; may block.
		 * @return completes with the connection, perhaps later
		 */
		CompletionStage<T> open();

		/** Closes a connection without waiting for it. */
		CompletionStage<Void> close(T connection);

		/**
		 * Prepares a new connection for use, under the monitor, before it is current.
		 * @return what to do when the monitor is free
		 */
		Runnable opened(T connection);

		/**
		 * Takes note of a failed attempt, under the monitor.
		 * @return what to do when the monitor is free
		 */
		Runnable failed(Throwable failure);

	}

	/**
	 * Creates the keeper; does not connect.
	 * @param monitor the lock of the owner
	 * @param source opens and closes connections
	 * @param connector where attempts block
	 * @param longestAttempt after how long an attempt hangs
	 * @param pause the least time from the beginning of a failed attempt to the next one
	 * @param nanoTime the monotonic clock
	 */
	Reconnecting(ReentrantLock monitor, Source<T> source, Executor connector, Duration longestAttempt, Duration pause,
			LongSupplier nanoTime) {
		this.monitor = monitor;
		this.source = source;
		this.connector = connector;
		this.longestAttempt = longestAttempt;
		this.pause = pause;
		this.nanoTime = nanoTime;
	}

	/** Returns the connection, or {@code null} if there is none. */
	@Nullable T current() {
		return this.current;
	}

	/** Returns why there is no new attempt yet, or {@code null} if there may be one. */
	@Nullable Throwable recentFailure() {
		this.monitor.lock();
		try {
			boolean recent = !this.connecting && elapsed() < this.pause.toNanos();
			return recent ? this.failure : null;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Begins an attempt if there is no connection and no reason to wait. */
	void connect() {
		int number;
		this.monitor.lock();
		try {
			boolean underWay = this.connecting && elapsed() < this.longestAttempt.toNanos();
			if (this.closed || this.current != null || underWay || recentFailure() != null) {
				return;
			}
			this.connecting = true;
			this.attemptedAt = this.nanoTime.getAsLong();
			number = ++this.attempt;
		}
		finally {
			this.monitor.unlock();
		}
		try {
			this.connector.execute(() -> open(number));
		}
		catch (RejectedExecutionException ex) {
			ended(number, null, ex);
		}
	}

	private long elapsed() {
		return this.nanoTime.getAsLong() - this.attemptedAt;
	}

	private void open(int number) {
		try {
			this.source.open().whenComplete((opened, error) -> ended(number, opened, error));
		}
		catch (RuntimeException ex) {
			ended(number, null, ex);
		}
	}

	private void ended(int number, @Nullable T opened, @Nullable Throwable error) {
		Runnable after;
		this.monitor.lock();
		try {
			boolean counts = number == this.attempt && !this.closed;
			this.connecting = this.connecting && number != this.attempt;
			if (opened != null && counts) {
				after = this.source.opened(opened);
				this.failure = null;
				this.current = opened;
			}
			else if (opened != null) {
				after = () -> this.source.close(opened);
			}
			else if (error != null && counts) {
				this.failure = error;
				after = this.source.failed(error);
			}
			else {
				return;
			}
		}
		finally {
			this.monitor.unlock();
		}
		after.run();
	}

	/**
	 * Forgets a connection, so that the next attempt may begin at once; does not close
	 * it.
	 * @param stale the connection
	 * @return whether it was the current one
	 */
	boolean forget(T stale) {
		this.monitor.lock();
		try {
			boolean known = this.current == stale;
			this.current = known ? null : this.current;
			return known;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/**
	 * Makes no more attempts.
	 * @return completes when the connection is closed
	 */
	CompletionStage<Void> close() {
		T open;
		this.monitor.lock();
		try {
			this.closed = true;
			open = this.current;
			this.current = null;
		}
		finally {
			this.monitor.unlock();
		}
		return (open != null) ? this.source.close(open) : CompletableFuture.completedFuture(null);
	}

	/** Returns whether no more attempts are made. */
	boolean isClosed() {
		this.monitor.lock();
		try {
			return this.closed;
		}
		finally {
			this.monitor.unlock();
		}
	}

}
