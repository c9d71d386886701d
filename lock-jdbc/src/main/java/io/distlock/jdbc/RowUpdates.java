package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockStoreException;
import io.distlock.jdbc.StatementWorkers.Task;
import io.distlock.jdbc.StatementWorkers.Work;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes of rows while no further turn may begin. The next turn sends them
 * together.
 */
final class RowUpdates {

	private final Queue<Task<?>> waiting = new ConcurrentLinkedQueue<>();

	/** How many turns wait for a connection or are running. */
	private final AtomicInteger turns = new AtomicInteger();

	private volatile long lastBegunAt;

	private final StatementWorkers workers;

	private final DatabaseClock clock;

	private final int connections;

	private final Duration commandTimeout;

	RowUpdates(StatementWorkers workers, DatabaseClock clock, int connections, Duration commandTimeout) {
		this.workers = workers;
		this.clock = clock;
		this.connections = connections;
		this.commandTimeout = commandTimeout;
	}

	/**
	 * A change of one row, which the store may send together with other waiting changes.
	 */
	interface Update<T> extends Work<T> {

		Row row();

		/**
		 * Changes several rows.
		 * @return the revisions of the rows that were changed
		 */
		Set<Long> together(Session session, Dialect dialect, List<Row> rows) throws SQLException;

		/** Returns the answer of a row that was sent together with others. */
		T answer(boolean changed);

	}

	/** Adds a command whose work is an {@link Update}. */
	void add(Task<?> update) {
		this.waiting.add(update);
		send();
	}

	void failAll(LockStoreException failure) {
		for (Task<?> task = this.waiting.poll(); task != null; task = this.waiting.poll()) {
			task.fail(failure);
		}
	}

	private void send() {
		if (!this.waiting.isEmpty() && beginTurn()) {
			try {
				this.workers.execute(new Turn());
			}
			catch (Throwable ex) {
				this.turns.decrementAndGet();
				throw ex;
			}
		}
	}

	private boolean beginTurn() {
		long now = this.clock.nanoTime();
		// A turn that waits for a connection must not delay other changes.
		boolean late = now - this.lastBegunAt > this.commandTimeout.toNanos();
		int most = late ? this.connections
				: this.workers.dialect().map((known) -> known.mostTurns(this.connections)).orElse(1);
		boolean begins = this.turns.getAndUpdate((begun) -> (begun < most) ? begun + 1 : begun) < most;
		if (begins) {
			this.lastBegunAt = now;
		}
		return begins;
	}

	/** Takes waiting updates as soon as it has a connection. */
	final class Turn implements Work<Runnable> {

		private final List<Task<?>> taken = new ArrayList<>();

		/** Returns an action that answers each change. */
		@Override
		public Runnable on(Session session, Dialect dialect) throws SQLException {
			take(dialect.mostTogether());
			if (this.taken.size() == 1) {
				return this.taken.get(0).executeAlone(session, dialect);
			}
			List<Row> rows = this.taken.stream().map((task) -> task.update().row()).toList();
			Set<Long> changed = rows.isEmpty() ? Set.of() : this.taken.get(0).update().together(session, dialect, rows);
			return () -> this.taken.forEach((task) -> task.answerAfter(changed));
		}

		private void take(int most) {
			while (this.taken.size() < most) {
				Task<?> next = RowUpdates.this.waiting.poll();
				if (next == null) {
					return;
				}
				this.taken.add(next);
			}
		}

		/**
		 * Answers each change, even after a failure, and begins the next turn.
		 */
		void end(@Nullable Runnable answers, @Nullable Throwable failure) {
			try {
				if (failure != null && this.taken.isEmpty()) {
					// Without a connection, the changes that wait would fail too.
					take(Integer.MAX_VALUE);
				}
				RowUpdates.this.turns.decrementAndGet();
				send();
				if (answers != null) {
					answers.run();
				}
				else if (failure != null) {
					fail(failure);
				}
			}
			catch (Throwable ex) {
				fail(ex);
				throw ex;
			}
		}

		private void fail(Throwable failure) {
			this.taken.forEach((task) -> task.fail(failure));
		}

	}

}
