package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The threads that talk to the database, so that no caller's transaction is joined and no
 * caller's connection is used. Each has at most one connection, which it gives back when
 * there is nothing to do; each statement is a transaction of its own.
 */
final class Workers {

	/** Longer than the pauses between commands of a busy lock. */
	private static final Duration LINGER = Duration.ofSeconds(1);

	/** More cannot be answered in time. */
	private static final int MAX_WAITING = 4096;

	private final PriorityBlockingQueue<Task<?>> line = new PriorityBlockingQueue<>();

	private final AtomicLong arrivals = new AtomicLong();

	private final List<Thread> threads = new ArrayList<>();

	private final ConnectionSource connections;

	private final Duration commandTimeout;

	private final DatabaseClock clock;

	private final String place;

	private final DatabaseErrors errors;

	private volatile boolean running = true;

	private volatile @Nullable Dialect dialect;

	Workers(ConnectionSource connections, int count, Duration commandTimeout, DatabaseClock clock, String place,
			DatabaseErrors errors) {
		this.connections = connections;
		this.commandTimeout = commandTimeout;
		this.clock = clock;
		this.place = place;
		this.errors = errors;
		for (int i = 1; i <= count; i++) {
			Thread thread = new Thread(this::work, "distributed-lock-jdbc-" + i);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	/** What is done with a connection. */
	interface Work<T> {

		T on(Connection connection, Dialect dialect) throws SQLException;

	}

	/** What cannot wait comes first: a backlog must not cost locks that are held. */
	enum Urgency {

		/** A change: it is computed for a moment, and refused a little later. */
		HIGH,

		/** Anything else, above all reading what is there before a change. */
		NORMAL

	}

	<T> CompletionStage<T> submit(Urgency urgency, Work<T> work) {
		Task<T> task = new Task<>(urgency, this.arrivals.incrementAndGet(), this.clock.nanoTime(), work);
		if (!this.running) {
			return CompletableFuture.failedFuture(LockStoreException.notRunning("store on " + this.place));
		}
		if (this.line.size() >= MAX_WAITING) {
			return CompletableFuture.failedFuture(new TransientStoreException("",
					"The " + this.place + " has not answered " + MAX_WAITING + " commands, so no more are sent", null));
		}
		this.line.add(task);
		if (!this.running) {
			refuseAll();
		}
		return task.answer;
	}

	void stop() {
		this.running = false;
		this.threads.forEach(Thread::interrupt);
		refuseAll();
	}

	private void refuseAll() {
		for (Task<?> task = this.line.poll(); task != null; task = this.line.poll()) {
			task.fail(new LockStoreException("", "The store on " + this.place + " was stopped", null));
		}
	}

	private void work() {
		Session session = null;
		while (this.running) {
			try {
				Task<?> task = (session != null) ? this.line.poll(LINGER.toMillis(), TimeUnit.MILLISECONDS)
						: this.line.take();
				session = (task != null) ? execute(task, session) : closed(session);
			}
			catch (InterruptedException ex) {
				// Only stop() interrupts; the loop looks.
			}
		}
		closed(session);
	}

	/** Returns the session for the next task, if it is still good. */
	private @Nullable Session execute(Task<?> task, @Nullable Session open) {
		if (this.clock.nanoTime() - task.since > this.commandTimeout.toNanos()) {
			task.fail(new TransientStoreException("",
					"The " + this.place + " did not answer within " + this.commandTimeout.toMillis() + " ms", null));
			return open;
		}
		Session session = open;
		try {
			if (session == null) {
				session = Session.open(this.connections.dataSource(), this.commandTimeout);
				session.limitLockWait(dialectOf(session.connection()));
			}
			Dialect known = dialectOf(session.connection());
			task.execute(session.connection(), known);
			return session;
		}
		catch (SQLException ex) {
			SqlFailure failure = SqlFailure.of(ex);
			if (failure == SqlFailure.LOCKED && session != null) {
				task.fail(this.errors.exception(ex, Optional.ofNullable(this.dialect)));
				return session;
			}
			this.clock.forget();
			if (failure == SqlFailure.READ_ONLY || failure == SqlFailure.NO_LOGIN) {
				this.connections.renew();
			}
			task.fail(this.errors.exception(ex, Optional.ofNullable(this.dialect)));
		}
		catch (LockStoreException ex) {
			task.fail(ex);
		}
		catch (RuntimeException | Error ex) {
			task.fail(new LockStoreException("", "A statement on " + this.place + " failed", ex));
		}
		return closed(session);
	}

	/** Empty before the first connection. */
	Optional<Dialect> dialect() {
		return Optional.ofNullable(this.dialect);
	}

	private Dialect dialectOf(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		if (known == null) {
			known = Dialect.of(connection);
			this.dialect = known;
		}
		return known;
	}

	private static @Nullable Session closed(@Nullable Session session) {
		if (session != null) {
			session.close();
		}
		return null;
	}

	private static final class Task<T> implements Comparable<Task<?>> {

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		private final Urgency urgency;

		private final long arrival;

		private final long since;

		private final Work<T> work;

		private Task(Urgency urgency, long arrival, long since, Work<T> work) {
			this.urgency = urgency;
			this.arrival = arrival;
			this.since = since;
			this.work = work;
		}

		/** The answer's own listeners may not break the worker, nor its connection. */
		private void execute(Connection connection, Dialect dialect) throws SQLException {
			T result = this.work.on(connection, dialect);
			this.answer.complete(result);
		}

		private void fail(Throwable failure) {
			this.answer.completeExceptionally(failure);
		}

		@Override
		public int compareTo(Task<?> other) {
			int byUrgency = this.urgency.compareTo(other.urgency);
			return (byUrgency != 0) ? byUrgency : Long.compare(this.arrival, other.arrival);
		}

	}

}
