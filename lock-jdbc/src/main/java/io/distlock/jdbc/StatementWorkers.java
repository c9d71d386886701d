package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.LockStoreException;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The threads that talk to the database, so that no caller's transaction is joined and no
 * caller's connection is used. Each statement is a separate transaction. A connection of
 * the pool is given back when nothing waits.
 * <p>
 * A thread that waits for the answer executes its statement itself while nothing else
 * waits: two changes of threads cost more than the statement. It only does so on a
 * connection whose statements have a time limit and that belongs to the store: other
 * pools may join the transaction of the thread.
 */
final class StatementWorkers {

	/** How much longer than others the first connection may take. */
	static final Duration CONNECT = Duration.ofSeconds(5);

	/** More commands cannot be answered in time. */
	private static final int MAX_WAITING = 4096;

	/** The most commands on one connection before it goes back to the pool. */
	private static final int MOST_IN_TURN = 100;

	private final BlockingQueue<Runnable> waiting = new PriorityBlockingQueue<>();

	private final RowUpdates updates;

	/** One per connection, for threads of the store and callers alike. */
	private final Semaphore permits;

	private final AtomicLong arrivals = new AtomicLong();

	private final AtomicInteger threadsMade = new AtomicInteger();

	private final ThreadPoolExecutor threads;

	private final ConnectionSource connections;

	private final Duration commandTimeout;

	private final DatabaseClock clock;

	private final DatabaseName place;

	private final DatabaseErrors errors;

	/** When the first statement wanted a connection. */
	private final AtomicReference<Long> begun = new AtomicReference<>();

	/** Whether the first attempt to get a connection is over. */
	private volatile boolean connected;

	private volatile @Nullable Dialect dialect;

	/** Whether callers may use connections; known since there was a connection. */
	private volatile boolean servesCallers;

	StatementWorkers(ConnectionSource connections, int count, Duration commandTimeout, DatabaseClock clock,
			DatabaseName place) {
		this.connections = connections;
		this.commandTimeout = commandTimeout;
		this.clock = clock;
		this.place = place;
		this.errors = new DatabaseErrors(place);
		this.permits = new Semaphore(count, true);
		this.updates = new RowUpdates(this, clock, count, commandTimeout);
		this.threads = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, this.waiting, this::newThread,
				(task, stopped) -> refuse(task));
		// Later there may be no memory for threads, and held locks need them.
		this.threads.prestartAllCoreThreads();
	}

	private Thread newThread(Runnable loop) {
		Thread thread = new Thread(loop, "distributed-lock-jdbc-" + this.threadsMade.incrementAndGet());
		thread.setDaemon(true);
		return thread;
	}

	/** A task for a connection. */
	interface Work<T> {

		T on(Connection connection, Dialect dialect) throws SQLException;

	}

	/** Renewals come first: a backlog must not cost locks that are held. */
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
		if (!this.connected) {
			this.begun.compareAndSet(null, this.clock.nanoTime());
		}
		Task<T> task = new Task<>(urgency, work);
		if (!serves(caller) || !caller.offer(() -> executeHere(task))) {
			enqueue(task);
		}
		return task.answer;
	}

	/** A caller that gives up earlier must not wait for a server that hangs. */
	private boolean serves(CallingThread caller) {
		return this.servesCallers && caller.patienceNanos() >= this.commandTimeout.toNanos();
	}

	/** Returns how much longer commands may take until there is a first connection. */
	Duration connecting() {
		return Duration.ofNanos(connectingNanos());
	}

	private long connectingNanos() {
		Long first = this.begun.get();
		long elapsed = (first != null) ? this.clock.nanoTime() - first : 0;
		return this.connected ? 0 : Math.max(0, CONNECT.toNanos() - elapsed);
	}

	private void enqueue(Task<?> task) {
		if (task.work instanceof RowUpdates.Update) {
			// There is at most one for each lock that is held.
			this.updates.add(task);
			if (this.threads.isShutdown()) {
				this.updates.failAll(stopped());
			}
		}
		else if (this.waiting.size() < MAX_WAITING) {
			this.threads.execute(task);
		}
		else {
			task.fail(new TransientStoreException("",
					"The " + this.place + " has not answered " + MAX_WAITING + " commands, so no more are sent", null));
		}
	}

	/** Executes a turn of updates, no matter how many commands wait. */
	void execute(RowUpdates.Turn turn) {
		Task<Runnable> task = new Task<>(Urgency.HIGH, turn);
		task.answer.whenComplete(turn::end);
		this.threads.execute(task);
	}

	/**
	 * Runs on the thread of a caller. Commands that are waiting already are executed
	 * first.
	 */
	private void executeHere(Task<?> task) {
		boolean busy = !this.waiting.isEmpty() || this.permits.hasQueuedThreads();
		if (busy || this.threads.isShutdown() || !this.permits.tryAcquire()) {
			enqueue(task);
		}
		else {
			executePermitted(task, true);
		}
	}

	/** Throws nothing, although there may be no memory even for a failure. */
	private void executePermitted(Task<?> task, boolean byCaller) {
		try {
			executeTurn(task, byCaller);
		}
		catch (Throwable ex) {
			task.fail(ex);
		}
	}

	/**
	 * Executes a command on a thread that has a permit. A thread of the store goes on
	 * with commands that wait, as it takes time to get a connection. The last one is
	 * answered when others may have the connection, because its listeners may be slow.
	 */
	private void executeTurn(Task<?> first, boolean byCaller) {
		Task<?> last = first;
		try (Session session = open(first, byCaller)) {
			int executed = 1;
			while (last.execute(session.connection()) && !byCaller && executed++ < MOST_IN_TURN && goesOn()) {
				last.answer();
				Task<?> next = (Task<?>) this.waiting.poll();
				if (next == null) {
					break;
				}
				last = next;
			}
		}
		catch (SQLException ex) {
			if (byCaller && Thread.currentThread().isInterrupted()) {
				// Some pools give nothing to a thread that is interrupted.
				enqueue(first);
			}
			else {
				failAll(first, failure(ex));
			}
		}
		catch (RuntimeException | Error ex) {
			// A result counts, also if the connection could not be given back.
			last.answer();
			last.fail(failure(ex));
		}
		finally {
			this.permits.release();
		}
		last.answer();
	}

	/** Whether the connection is kept for commands that wait. */
	private boolean goesOn() {
		// A stop refuses them, and it interrupts the threads before it empties the queue.
		return !this.threads.isShutdown() && !this.waiting.isEmpty() && !this.permits.hasQueuedThreads();
	}

	private void refuseIfLate(Task<?> task) {
		if (this.clock.nanoTime() - task.since > this.commandTimeout.toNanos()) {
			throw new TransientStoreException("",
					"The " + this.place + " did not answer within " + this.commandTimeout.toMillis() + " ms", null);
		}
	}

	/** Opens a session for a command. Without a connection it throws a SQLException. */
	private Session open(Task<?> first, boolean byCaller) throws SQLException {
		refuseIfLate(first);
		long begin = this.clock.nanoTime();
		Connection connection = connect();
		// For a caller the wait for the connection counts.
		long taken = byCaller ? this.clock.nanoTime() - begin : 0;
		Session session = Session.of(connection, leftOf(taken));
		try {
			this.place.learn(connection);
			Dialect known = dialectOf(connection);
			// Another pool may give the connection to the transaction of a caller.
			this.servesCallers = this.connections.isOwn() && known.servesCallers() && session.isBounded();
			if (known.lockWait().isPresent()) {
				this.connections.limitLockWait(session, known.lockWait().get());
			}
			return session;
		}
		catch (SQLException | RuntimeException | Error ex) {
			session.close();
			throw ex;
		}
	}

	private Duration leftOf(long takenNanos) {
		Duration left = this.commandTimeout.minusNanos(takenNanos);
		Duration least = this.commandTimeout.dividedBy(4);
		return (left.compareTo(least) > 0) ? left : least;
	}

	private Connection connect() throws SQLException {
		try {
			return this.connections.dataSource().getConnection();
		}
		finally {
			if (!this.connected) {
				this.connected = true;
				// The pool gives up before the callers do, so that they learn its reason.
				this.connections.limit(this.commandTimeout.multipliedBy(3).dividedBy(4));
			}
		}
	}

	private LockStoreException failure(Throwable cause) {
		if (cause instanceof LockStoreException known) {
			return known;
		}
		if (!(cause instanceof SQLException refusal)) {
			return new LockStoreException("", "A statement on " + this.place + " failed", cause);
		}
		SqlFailure kind = SqlFailure.of(refusal);
		if (kind != SqlFailure.LOCKED) {
			this.clock.forget();
		}
		if (kind == SqlFailure.READ_ONLY || kind == SqlFailure.NO_LOGIN) {
			this.connections.renew();
		}
		return this.errors.exception(refusal, dialect());
	}

	/** Fails all that waits: there is no connection, and it would not learn why. */
	private void failAll(Runnable first, LockStoreException failure) {
		for (Runnable task = first; task != null; task = this.waiting.poll()) {
			((Task<?>) task).fail(failure);
		}
		this.updates.failAll(failure);
	}

	/** Refuses the commands that are waiting, and all later commands. */
	void stop() {
		this.threads.shutdownNow().forEach(this::refuse);
		this.updates.failAll(stopped());
	}

	private void refuse(Runnable task) {
		((Task<?>) task).fail(stopped());
	}

	private LockStoreException stopped() {
		return new LockStoreException("", "The store on " + this.place + " was stopped", null);
	}

	/** Returns the dialect; empty before the first connection. */
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

	/** A command that waits for its answer. */
	final class Task<T> implements Runnable, Comparable<Task<?>> {

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		private final long arrival = StatementWorkers.this.arrivals.incrementAndGet();

		private final long since = StatementWorkers.this.clock.nanoTime() + connectingNanos();

		private final Urgency urgency;

		private final Work<T> work;

		/** Gives the answer, if there is a result. */
		private Runnable answers = () -> {
		};

		private Task(Urgency urgency, Work<T> work) {
			this.urgency = urgency;
			this.work = work;
		}

		/** Runs on a thread of the store. */
		@Override
		public void run() {
			// Callers give their permits back when their statements have ended.
			StatementWorkers.this.permits.acquireUninterruptibly();
			executePermitted(this, false);
		}

		/** Returns {@code false} after a failure: the connection may be broken. */
		private boolean execute(Connection connection) {
			try {
				refuseIfLate(this);
				T result = this.work.on(connection, dialectOf(connection));
				this.answers = () -> this.answer.complete(result);
				return true;
			}
			catch (Throwable ex) {
				// At once: closing a broken connection may take as long as a statement.
				fail(failure(ex));
				return false;
			}
		}

		private void answer() {
			this.answers.run();
		}

		/** Executes this command as the only one of a turn; returns what answers it. */
		Runnable executeAlone(Connection connection, Dialect dialect) throws SQLException {
			T result = this.work.on(connection, dialect);
			return () -> this.answer.complete(result);
		}

		RowUpdates.Update<T> update() {
			return (RowUpdates.Update<T>) this.work;
		}

		/** Answers the command, which was one of several in a turn. */
		void answerAfter(Set<Long> changed) {
			this.answer.complete(update().answer(changed.contains(update().row().revision())));
		}

		/** Does nothing if there is an answer or a result. */
		void fail(Throwable failure) {
			this.answer.completeExceptionally(failure);
		}

		@Override
		public int compareTo(Task<?> other) {
			int byUrgency = this.urgency.compareTo(other.urgency);
			return (byUrgency != 0) ? byUrgency : Long.compare(this.arrival, other.arrival);
		}

	}

}
