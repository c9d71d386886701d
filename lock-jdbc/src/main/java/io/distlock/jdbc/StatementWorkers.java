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
 * caller's connection is used. Each statement is a transaction of its own. A connection
 * of the pool is given back when nothing waits.
 * <p>
 * A thread that waits for the answer executes its statement itself while nothing else
 * waits: two changes of threads cost more than the statement. It only does so on a
 * connection whose statements have a time limit and that belongs to the store: other
 * pools may join the transaction of the thread.
 */
final class StatementWorkers {

	/** How much longer than others the first connection may take. */
	static final Duration CONNECT = Duration.ofSeconds(5);

	/** More cannot be answered in time. */
	private static final int MAX_WAITING = 4096;

	/** Then other users of the pool have their turn. */
	private static final int MOST_IN_TURN = 100;

	private static final Runnable NOTHING = () -> {
	};

	private final BlockingQueue<Runnable> waiting = new PriorityBlockingQueue<>();

	private final RowUpdates updates;

	/** One for each connection; threads of the store and callers share them. */
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
		if (!this.connected) {
			this.begun.compareAndSet(null, this.clock.nanoTime());
		}
		Task<T> task = new Task<>(urgency, work);
		if (!serves(caller) || !caller.offer(() -> executeHere(task))) {
			enqueue(task);
		}
		return task.answer;
	}

	/** A caller that would give up earlier must not wait for a server that hangs. */
	private boolean serves(CallingThread caller) {
		boolean patient = caller.patienceNanos() >= this.commandTimeout.toNanos();
		Dialect known = this.dialect;
		// Another pool may give the connection to the transaction of this thread.
		return patient && this.connections.isOwn() && known != null && known.servesCallers();
	}

	/** How much longer the first statements may take, until there is a connection. */
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
			// One at most for each lock that is held.
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

	/** Executes a turn of updates; however many commands wait. */
	void execute(RowUpdates.Turn turn) {
		Task<Runnable> task = new Task<>(Urgency.HIGH, turn);
		task.answer.whenComplete(turn::end);
		this.threads.execute(task);
	}

	/** On the thread of a caller; what waits already comes first. */
	private void executeHere(Task<?> task) {
		boolean busy = !this.waiting.isEmpty() || this.permits.hasQueuedThreads();
		if (busy || this.threads.isShutdown() || !this.permits.tryAcquire()) {
			enqueue(task);
		}
		else {
			executePermitted(task, true);
		}
	}

	/**
	 * By a thread that has a permit. Others may have it before the answer, which has
	 * listeners.
	 */
	private void executePermitted(Task<?> task, boolean byCaller) {
		try {
			Runnable answer;
			try {
				answer = execute(task, byCaller);
			}
			finally {
				this.permits.release();
			}
			answer.run();
		}
		catch (Throwable ex) {
			task.fail(ex);
		}
	}

	/** Returns what gives the answer. */
	private Runnable execute(Task<?> task, boolean byCaller) {
		Session opened;
		try {
			refuseIfLate(task);
			opened = open(byCaller);
		}
		catch (SQLException ex) {
			// Some pools give nothing to a thread that is interrupted.
			boolean interrupted = byCaller && Thread.currentThread().isInterrupted();
			return interrupted ? () -> enqueue(task) : () -> failAll(task, failure(ex));
		}
		catch (RuntimeException | Error ex) {
			return () -> task.fail(failure(ex));
		}
		try (Session session = opened) {
			if (!byCaller) {
				return executeTurn(task, session.connection());
			}
			return session.isBounded() ? execute(task, session.connection()).orElse(NOTHING) : () -> enqueue(task);
		}
	}

	/**
	 * Goes on with what waits, as it takes time to get a connection: not for ever, and
	 * not if others wait for a permit.
	 */
	private Runnable executeTurn(Task<?> first, Connection connection) {
		Optional<Runnable> answer = execute(first, connection);
		for (int i = 1; i < MOST_IN_TURN && answer.isPresent(); i++) {
			// What waits is refused after a stop, which interrupts before it empties the
			// queue.
			if (this.threads.isShutdown() || this.waiting.isEmpty() || this.permits.hasQueuedThreads()) {
				break;
			}
			answer.get().run();
			Runnable next = this.waiting.poll();
			answer = (next != null) ? execute((Task<?>) next, connection) : Optional.empty();
		}
		return answer.orElse(NOTHING);
	}

	private void refuseIfLate(Task<?> task) {
		if (this.clock.nanoTime() - task.since > this.commandTimeout.toNanos()) {
			throw new TransientStoreException("",
					"The " + this.place + " did not answer within " + this.commandTimeout.toMillis() + " ms", null);
		}
	}

	/** Returns what gives the answer; empty if the connection may be broken. */
	private Optional<Runnable> execute(Task<?> task, Connection connection) {
		try {
			refuseIfLate(task);
			return Optional.of(task.execute(connection, dialectOf(connection)));
		}
		catch (SQLException | RuntimeException | Error ex) {
			// Now: it may take as long as a statement to close a connection that is
			// broken.
			task.fail(failure(ex));
			return Optional.empty();
		}
	}

	private Session open(boolean byCaller) throws SQLException {
		long begin = this.clock.nanoTime();
		Connection connection = connect();
		// A caller waits no longer for both, the connection and the answer.
		long taken = byCaller ? this.clock.nanoTime() - begin : 0;
		Session session = Session.of(connection, leftOf(taken));
		try {
			this.place.learn(connection);
			Optional<Dialect.LockWait> lockWait = dialectOf(connection).lockWait();
			if (lockWait.isPresent()) {
				this.connections.limitLockWait(session, lockWait.get());
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
				// Whoever waits learns why there is no connection before giving up.
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

	/** There is no connection: what waits would wait in vain, and not learn why. */
	private void failAll(Runnable first, LockStoreException failure) {
		for (Runnable task = first; task != null; task = this.waiting.poll()) {
			((Task<?>) task).fail(failure);
		}
		this.updates.failAll(failure);
	}

	/** Refuses what waits and what comes. */
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

	/** A command that waits for its answer. */
	final class Task<T> implements Runnable, Comparable<Task<?>> {

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		private final long arrival = StatementWorkers.this.arrivals.incrementAndGet();

		private final long since = StatementWorkers.this.clock.nanoTime() + connectingNanos();

		private final Urgency urgency;

		private final Work<T> work;

		private Task(Urgency urgency, Work<T> work) {
			this.urgency = urgency;
			this.work = work;
		}

		/** On a thread of the store. */
		@Override
		public void run() {
			// Callers give their permits back when their statements have ended.
			StatementWorkers.this.permits.acquireUninterruptibly();
			executePermitted(this, false);
		}

		/** Returns what gives the answer. */
		Runnable execute(Connection connection, Dialect dialect) throws SQLException {
			T result = this.work.on(connection, dialect);
			return () -> this.answer.complete(result);
		}

		RowUpdates.Update<T> update() {
			return (RowUpdates.Update<T>) this.work;
		}

		/** The answer if it was one of several. */
		void answerAfter(Set<Long> changed) {
			this.answer.complete(update().answer(changed.contains(update().row().revision())));
		}

		/** Does nothing if there is an answer. */
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
