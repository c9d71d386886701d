package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection open, in the background. Another attempt begins when an attempt
 * hangs, and the first of them that opens a connection counts, because a new attempt may
 * need as long as the one before. An attempt that began before the connection was given
 * up does not count: it may lead to the former server. A connection that does not count
 * is closed. After a failure there is a pause.
 *
 * @param <T> type of the connection
 */
final class Reconnecting<T> {

	private static final Runnable NOTHING = () -> {
	};

	/** Guards this state and that of the owner, which shares the monitor. */
	private final ReentrantLock monitor;

	private final Source<T> source;

	private final Executor connector;

	private final Supplier<Duration> longestAttempt;

	private final Duration pause;

	private final LongSupplier nanoTime;

	private volatile State state = new Idle(null, 0);

	/** Counts how often a connection was given up; the monitor guards it. */
	private long era;

	private sealed interface State {

	}

	/** No attempt is running; the last attempt failed, or the connection was dropped. */
	private record Idle(@Nullable Throwable failure, long attemptedAt) implements State {
	}

	/**
	 * One attempt. Attempts are compared by identity, because they may begin at the same
	 * time.
	 */
	private static final class Connecting implements State {

		private final long since;

		private final long era;

		private Connecting(long since, long era) {
			this.since = since;
			this.era = era;
		}

	}

	private record Open<T>(T connection) implements State {
	}

	private record Closed() implements State {
	}

	/**
	 * Opens and closes connections, and receives the outcome of attempts that count.
	 *
	 * @param <T> type of the connection
	 */
	interface Source<T> {

		/**
		 * Opens a connection, on a thread of the connector; may block.
		 * @return a stage that completes with the connection, perhaps later
		 */
		CompletionStage<T> open();

		/** Closes a connection without waiting for it. */
		CompletionStage<Void> close(T connection);

		/**
		 * Prepares a new connection, under the monitor, before it becomes the current
		 * one.
		 * @return the action to run after the monitor is released
		 */
		Runnable opened(T connection);

		/**
		 * Records a failed attempt, under the monitor.
		 * @return the action to run after the monitor is released
		 */
		Runnable failed(Throwable failure);

	}

	/**
	 * Creates the keeper; does not connect.
	 * @param monitor the lock of the owner
	 * @param source opens and closes connections
	 * @param connector runs the attempts, which block
	 * @param longestAttempt the time after which an attempt counts as hanging
	 * @param pause the least time between the beginning of a failed attempt and the next
	 * attempt
	 * @param nanoTime the monotonic clock
	 */
	Reconnecting(ReentrantLock monitor, Source<T> source, Executor connector, Supplier<Duration> longestAttempt,
			Duration pause, LongSupplier nanoTime) {
		this.monitor = monitor;
		this.source = source;
		this.connector = connector;
		this.longestAttempt = longestAttempt;
		this.pause = pause;
		this.nanoTime = nanoTime;
	}

	/** Returns the connection, or {@code null} if there is none. */
	@SuppressWarnings("unchecked")
	@Nullable T current() {
		return (this.state instanceof Open<?> open) ? (T) open.connection() : null;
	}

	/** Returns why no new attempt may begin yet, or {@code null} if one may begin. */
	@Nullable Throwable recentFailure() {
		return (this.state instanceof Idle idle && elapsed(idle.attemptedAt()) < this.pause.toNanos()) ? idle.failure()
				: null;
	}

	/** Returns whether this object makes no more attempts. */
	boolean isClosed() {
		return this.state instanceof Closed;
	}

	/**
	 * Begins an attempt if there is no connection and no reason to wait. May be called
	 * under the monitor.
	 * @return the action to run after the monitor is released
	 */
	Runnable connect() {
		Connecting attempt;
		this.monitor.lock();
		try {
			if (!mayConnect(this.state)) {
				return NOTHING;
			}
			attempt = new Connecting(this.nanoTime.getAsLong(), this.era);
			this.state = attempt;
		}
		finally {
			this.monitor.unlock();
		}
		try {
			this.connector.execute(() -> open(attempt));
			return NOTHING;
		}
		catch (Throwable ex) {
			return () -> failed(attempt, ex);
		}
	}

	private boolean mayConnect(State known) {
		if (known instanceof Connecting running) {
			return elapsed(running.since) >= this.longestAttempt.get().toNanos();
		}
		return known instanceof Idle && recentFailure() == null;
	}

	private long elapsed(long since) {
		return this.nanoTime.getAsLong() - since;
	}

	private void open(Connecting attempt) {
		if (isClosed()) {
			return;
		}
		try {
			this.source.open().whenComplete((opened, error) -> {
				if (error != null) {
					failed(attempt, error);
				}
				else {
					opened(attempt, opened);
				}
			});
		}
		catch (Throwable ex) {
			failed(attempt, ex);
		}
	}

	private void opened(Connecting attempt, T opened) {
		Runnable after = () -> this.source.close(opened);
		this.monitor.lock();
		try {
			if (attempt.era == this.era && !(this.state instanceof Open)) {
				after = this.source.opened(opened);
				this.state = new Open<>(opened);
			}
		}
		catch (Throwable ex) {
			after = () -> {
				this.source.close(opened);
				failed(attempt, ex);
			};
		}
		finally {
			this.monitor.unlock();
		}
		after.run();
	}

	private void failed(Connecting attempt, Throwable failure) {
		Runnable after;
		this.monitor.lock();
		try {
			if (this.state != attempt) {
				return;
			}
			this.state = new Idle(failure, attempt.since);
			after = this.source.failed(failure);
		}
		finally {
			this.monitor.unlock();
		}
		after.run();
	}

	/**
	 * Forgets a connection without closing it, so that the next attempt may begin at
	 * once.
	 * @param stale the connection
	 * @return whether it was the current one
	 */
	boolean forget(T stale) {
		this.monitor.lock();
		try {
			boolean known = current() == stale;
			if (known) {
				giveUp(new Idle(null, 0));
			}
			return known;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/**
	 * Gives up the connection and the running attempts, so that the next attempt may
	 * begin at once. Does not close the connection; closes only what the running attempts
	 * open later.
	 * @return the connection, or {@code null} if there was none
	 */
	@Nullable T startOver() {
		this.monitor.lock();
		try {
			T open = current();
			if (!isClosed()) {
				giveUp(new Idle(null, 0));
			}
			return open;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Leaves the connection, and lets no running attempt count. */
	private void giveUp(State next) {
		this.state = next;
		this.era++;
	}

	/**
	 * Closes the connection and makes no more attempts.
	 * @return a stage that completes when the connection is closed
	 */
	CompletionStage<Void> close() {
		T open;
		this.monitor.lock();
		try {
			open = current();
			giveUp(new Closed());
		}
		finally {
			this.monitor.unlock();
		}
		return (open != null) ? this.source.close(open) : CompletableFuture.completedFuture(null);
	}

}
