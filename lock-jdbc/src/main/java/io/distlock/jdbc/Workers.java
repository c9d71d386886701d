package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.LockStoreException;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The threads that talk to the database, and their connections, so that no caller's
 * transaction is joined and no caller's connection is used. There are as many connections
 * as threads, given back when there is nothing to do; each statement is a transaction of
 * its own.
 * <p>
 * A thread that waits for the answer executes its statement itself on a connection that
 * is open and idle, while nothing else waits: two changes of threads cost more than the
 * statement. It never opens a connection, so it blocks for one trip at most.
 */
final class Workers {

	/** Longer than the pauses between commands of a busy lock. */
	private static final Duration LINGER = Duration.ofSeconds(1);

	/** More cannot be answered in time. */
	private static final int MAX_WAITING = 4096;

	private final PriorityBlockingQueue<Task<?>> line = new PriorityBlockingQueue<>();

	/** Open and idle, the one used last in front. */
	private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();

	/** Sessions that are open, idle or not. */
	private final AtomicInteger open = new AtomicInteger();

	/** One for each session that may be in use. */
	private final Semaphore seats;

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
		this.seats = new Semaphore(count, true);
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
		return submit(urgency, work, CallingThread.NONE);
	}

	/**
	 * Executes something.
	 * @param caller the thread that waits for it, which executes it if it may
	 */
	<T> CompletionStage<T> submit(Urgency urgency, Work<T> work, CallingThread caller) {
		Task<T> task = new Task<>(urgency, this.arrivals.incrementAndGet(), this.clock.nanoTime(), work);
		if (isBusy() || !serves(caller) || !caller.offer(() -> executeHere(task))) {
			enqueue(task);
		}
		return task.answer;
	}

	/** What waits already comes first. */
	private boolean isBusy() {
		return this.idle.isEmpty() || !this.line.isEmpty() || this.seats.hasQueuedThreads();
	}

	/** A caller that would give up earlier must not wait for a server that hangs. */
	private boolean serves(CallingThread caller) {
		// mutant: caller-hangs
		boolean patient = caller.patienceNanos() >= this.commandTimeout.toNanos();
		Dialect known = this.dialect;
		return patient && known != null && known.servesCallers();
	}

	private void enqueue(Task<?> task) {
		if (!this.running) {
			task.fail(LockStoreException.notRunning("store on " + this.place));
			return;
		}
		if (this.line.size() >= MAX_WAITING) {
			task.fail(new TransientStoreException("",
					"The " + this.place + " has not answered " + MAX_WAITING + " commands, so no more are sent", null));
			return;
		}
		this.line.add(task);
		if (!this.running) {
			refuseAll();
		}
	}

	/** On the thread of a caller. */
	private void executeHere(Task<?> task) {
		if (isBusy() || !this.seats.tryAcquire()) {
			enqueue(task);
			return;
		}
		Optional<Runnable> answer;
		try {
			answer = Optional.ofNullable(this.idle.pollFirst()).map((session) -> execute(task, session));
		}
		finally {
			this.seats.release();
		}
		answer.orElse(() -> enqueue(task)).run();
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
		while (this.running) {
			try {
				// Who opens a session comes by here before it may rest.
				Task<?> task = (this.open.get() > 0) ? this.line.poll(LINGER.toMillis(), TimeUnit.MILLISECONDS)
						: this.line.take();
				if (task != null) {
					executeNext(task);
				}
				else {
					closeIdle(LINGER);
				}
			}
			catch (InterruptedException ex) {
				// Only stop() interrupts; the loop looks.
			}
		}
		closeIdle(Duration.ZERO);
	}

	/** Callers leave a seat when their statement has ended. */
	private void executeNext(Task<?> task) {
		Runnable answer;
		this.seats.acquireUninterruptibly();
		try {
			answer = execute(task, this.idle.pollFirst());
		}
		finally {
			this.seats.release();
		}
		answer.run();
	}

	private void closeIdle(Duration longer) {
		for (Session session = this.idle.pollLast(); session != null; session = this.idle.pollLast()) {
			// mutant: linger
			boolean young = this.clock.nanoTime() - session.idleSince() < longer.toNanos();
			if (young) {
				this.idle.addLast(session);
				return;
			}
			close(session);
		}
	}

	/**
	 * Leaves the session for the next task, if it is still good. Returns what answers,
	 * for when others may use the session: answers have listeners.
	 */
	private Runnable execute(Task<?> task, @Nullable Session free) {
		Session session = free;
		if (this.clock.nanoTime() - task.since > this.commandTimeout.toNanos()) {
			leave(session);
			return task.failed(new TransientStoreException("",
					"The " + this.place + " did not answer within " + this.commandTimeout.toMillis() + " ms", null));
		}
		Runnable answer;
		try {
			if (session == null) {
				session = Session.open(this.connections.dataSource(), this.commandTimeout);
				this.open.incrementAndGet();
				session.limitLockWait(dialectOf(session.connection()));
			}
			Dialect known = dialectOf(session.connection());
			answer = task.execute(session.connection(), known);
			leave(session);
			return answer;
		}
		catch (SQLException ex) {
			SqlFailure failure = SqlFailure.of(ex);
			answer = task.failed(this.errors.exception(ex, Optional.ofNullable(this.dialect)));
			if (failure == SqlFailure.LOCKED && session != null) {
				leave(session);
				return answer;
			}
			this.clock.forget();
			if (failure == SqlFailure.READ_ONLY || failure == SqlFailure.NO_LOGIN) {
				this.connections.renew();
			}
		}
		catch (LockStoreException ex) {
			answer = task.failed(ex);
		}
		catch (RuntimeException | Error ex) {
			answer = task.failed(new LockStoreException("", "A statement on " + this.place + " failed", ex));
		}
		if (session != null) {
			close(session);
		}
		return answer;
	}

	private void leave(@Nullable Session session) {
		if (session != null) {
			session.idleSince(this.clock.nanoTime());
			this.idle.addFirst(session);
			if (!this.running) {
				closeIdle(Duration.ZERO);
			}
		}
	}

	private void close(Session session) {
		this.open.decrementAndGet();
		session.close();
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

		/** Returns what gives the answer. */
		private Runnable execute(Connection connection, Dialect dialect) throws SQLException {
			T result = this.work.on(connection, dialect);
			return () -> this.answer.complete(result);
		}

		private Runnable failed(Throwable failure) {
			return () -> this.answer.completeExceptionally(failure);
		}

		private void fail(Throwable failure) {
			failed(failure).run();
		}

		@Override
		public int compareTo(Task<?> other) {
			int byUrgency = this.urgency.compareTo(other.urgency);
			return (byUrgency != 0) ? byUrgency : Long.compare(this.arrival, other.arrival);
		}

	}

}
