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
 * Executes statements on threads of the store, so that no statement joins a caller's
 * transaction or uses a caller's connection. Each statement is a separate transaction. A
 * connection goes back to the pool when no command waits.
 * <p>
 * A thread that waits for the answer executes its statement itself while no other command
 * waits, because two thread switches cost more than the statement. It does so only on a
 * connection that belongs to the store and limits the time of its statements. A
 * connection of another pool may join the transaction of the thread.
 */
final class StatementWorkers {

	/** The most waiting commands that can still be answered in time. */
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

	/** When the first statement asked for a connection. */
	private final AtomicReference<Long> begun = new AtomicReference<>();

	/** Whether the first attempt to get a connection is over. */
	private volatile boolean connected;

	private volatile @Nullable Dialect dialect;

	/** Whether callers may use connections; false before the first connection. */
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
		// Later, memory for new threads may be missing, and held locks need the threads.
		this.threads.prestartAllCoreThreads();
	}

	private Thread newThread(Runnable loop) {
		Thread thread = new Worker(this, loop, "distributed-lock-jdbc-" + this.threadsMade.incrementAndGet());
		thread.setDaemon(true);
		return thread;
	}

	/** A task for a session. */
	interface Work<T> {

		T on(Session session, Dialect dialect) throws SQLException;

	}

	/**
	 * Orders commands. Changes come first, so that a backlog does not delay renewals of
	 * held locks.
	 */
	enum Urgency {

		/**
		 * A change. It is valid for a short time only, and the database refuses it later.
		 */
		HIGH,

		/** Any other command, mostly a read before a change. */
		NORMAL

	}

	<T> CompletionStage<T> submit(Urgency urgency, Work<T> work) {
		return submit(urgency, work, CallingThread.NONE);
	}

	/**
	 * Executes a task.
	 * @param caller the thread that waits for the answer; it executes the task itself if
	 * that is allowed
	 */
	<T> CompletionStage<T> submit(Urgency urgency, Work<T> work, CallingThread caller) {
		if (!this.connected) {
			this.begun.compareAndSet(null, this.clock.nanoTime());
		}
		Task<T> task = new Task<>(urgency, work);
		boolean follows = Thread.currentThread() instanceof Worker worker && worker.takes(this, task);
		if (!follows && (!serves(caller) || !caller.offer(() -> executeHere(task)))) {
			enqueue(task);
		}
		return task.answer;
	}

	/**
	 * Refuses a caller that gives up earlier, because it must not wait for a server that
	 * hangs.
	 */
	private boolean serves(CallingThread caller) {
		return this.servesCallers && caller.patienceNanos() >= this.commandTimeout.toNanos();
	}

	/**
	 * Returns how much longer commands may take while the first connection is missing.
	 */
	Duration connecting() {
		return Duration.ofNanos(connectingNanos());
	}

	private long connectingNanos() {
		Long first = this.begun.get();
		long elapsed = (first != null) ? this.clock.nanoTime() - first : 0;
		return this.connected ? 0 : Math.max(0, ConnectionSource.CONNECT.toNanos() - elapsed);
	}

	private void enqueue(Task<?> task) {
		if (task.work instanceof RowUpdates.Update) {
			// Each held lock has at most one such task.
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
	 * Executes a command on the thread of its caller, after the commands that wait
	 * already.
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

	/** Catches every error, because even creating a failure may run out of memory. */
	private void executePermitted(Task<?> task, boolean byCaller) {
		try {
			executeTurn(task, byCaller);
		}
		catch (Throwable ex) {
			task.fail(ex);
		}
	}

	/**
	 * Executes a command on a thread that has a permit. A thread of the store then
	 * executes waiting commands on the same connection, because getting a connection
	 * takes time. It answers the last command after giving the connection back, because
	 * the listeners of that command may be slow.
	 * <p>
	 * A connection that is not of the store's own pool may take long to come and to go,
	 * for instance because there is no pool. A change that follows a read would then
	 * always come too late on another connection. So it is executed on the same one, and
	 * the read is answered before the connection goes back.
	 */
	private void executeTurn(Task<?> first, boolean byCaller) {
		Task<?> last = first;
		try (Session session = open(first, byCaller)) {
			int executed = 1;
			while (last.execute(session) && !byCaller && executed++ < MOST_IN_TURN) {
				Optional<Task<?>> next = this.connections.isOwn() ? nextOfOthers(last) : next(last);
				if (next.isEmpty()) {
					break;
				}
				last = next.get();
			}
		}
		catch (SQLException ex) {
			if (byCaller && Thread.currentThread().isInterrupted()) {
				// Some pools give no connection to an interrupted thread.
				enqueue(first);
			}
			else {
				failAll(first, failure(ex));
			}
		}
		catch (RuntimeException | Error ex) {
			// A result counts even if giving the connection back failed.
			last.answer();
			last.fail(failure(ex));
		}
		finally {
			this.permits.release();
		}
		last.answer();
	}

	/** Answers a command, and returns the change to which the answer has led. */
	private Optional<Task<?>> next(Task<?> executed) {
		if (this.threads.isShutdown()) {
			return Optional.empty();
		}
		Optional<Task<?>> next = ((Worker) Thread.currentThread()).answer(executed);
		return next.isPresent() ? next : nextOfOthers(executed);
	}

	/** Answers a command if another one waits, and returns that one. */
	private Optional<Task<?>> nextOfOthers(Task<?> executed) {
		if (!goesOn()) {
			return Optional.empty();
		}
		executed.answer();
		return Optional.ofNullable((Task<?>) this.waiting.poll());
	}

	/** Returns whether to keep the connection for waiting commands. */
	private boolean goesOn() {
		// A stop refuses these commands; it interrupts the threads before it empties the
		// queue.
		return !this.threads.isShutdown() && !this.waiting.isEmpty() && !this.permits.hasQueuedThreads();
	}

	private boolean isLate(Task<?> task) {
		return this.clock.nanoTime() - task.since > this.commandTimeout.toNanos();
	}

	private TransientStoreException late() {
		return new TransientStoreException("",
				"The " + this.place + " did not answer within " + this.commandTimeout.toMillis() + " ms", null);
	}

	/** Opens a session for a command. Throws a SQLException if there is no connection. */
	private Session open(Task<?> first, boolean byCaller) throws SQLException {
		if (isLate(first)) {
			throw late();
		}
		long begin = this.clock.nanoTime();
		Connection connection = connect(begin - first.since);
		// A caller's time limit includes the wait for the connection.
		long taken = byCaller ? this.clock.nanoTime() - begin : 0;
		Session session = Session.of(connection, leftOf(taken));
		try {
			this.place.learn(connection);
			Dialect known = dialectOf(connection);
			// Another pool may return the connection of the caller's transaction.
			this.servesCallers = this.connections.isOwn() && known.servesCallers() && session.isBounded();
			this.connections.prepare(session, known);
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

	/**
	 * Gives up before the caller of a command does, so that the caller learns the pool's
	 * reason. A command that has waited for other commands has less time.
	 * @param waitedNanos how long the command has waited; negative if it may take longer
	 */
	private Connection connect(long waitedNanos) throws SQLException {
		Duration most = this.commandTimeout.dividedBy(2);
		Duration left = this.commandTimeout.multipliedBy(3).dividedBy(4).minusNanos(Math.max(0, waitedNanos));
		try {
			return this.connections.connect(((left.compareTo(most) < 0) ? left : most).plus(connecting()));
		}
		finally {
			this.connected = true;
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

	/**
	 * Fails all waiting commands: without a connection they would time out without a
	 * reason.
	 */
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

	/** A thread of the store. */
	private static final class Worker extends Thread {

		private final StatementWorkers store;

		private boolean takes;

		private Optional<Task<?>> taken = Optional.empty();

		private Worker(StatementWorkers store, Runnable loop, String name) {
			super(loop, name);
			this.store = store;
		}

		/**
		 * Answers a command, and returns the first change to which the answer leads. A
		 * listener that waited here for such a change would wait for itself.
		 */
		private Optional<Task<?>> answer(Task<?> executed) {
			this.takes = true;
			try {
				executed.answer();
				return this.taken;
			}
			catch (Throwable ex) {
				this.taken.ifPresent((task) -> task.fail(ex));
				throw ex;
			}
			finally {
				this.takes = false;
				this.taken = Optional.empty();
			}
		}

		/** Takes no command of another store, whose rows are elsewhere. */
		private boolean takes(StatementWorkers asking, Task<?> task) {
			boolean first = asking == this.store && this.takes && this.taken.isEmpty() && task.urgency == Urgency.HIGH;
			if (first) {
				this.taken = Optional.of(task);
			}
			return first;
		}

	}

	/** A command that waits for its answer. */
	final class Task<T> implements Runnable, Comparable<Task<?>> {

		private final CompletableFuture<T> answer = new CompletableFuture<>();

		private final long arrival = StatementWorkers.this.arrivals.incrementAndGet();

		private final long since = StatementWorkers.this.clock.nanoTime() + connectingNanos();

		private final Urgency urgency;

		private final Work<T> work;

		/** Completes the answer; does nothing while there is no result. */
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

		/**
		 * Returns {@code false} after a failure, because the connection may be broken.
		 */
		private boolean execute(Session session) {
			try {
				if (isLate(this)) {
					// The connection is good, though it came late.
					fail(late());
					return true;
				}
				T result = this.work.on(session, dialectOf(session.connection()));
				this.answers = () -> this.answer.complete(result);
				return true;
			}
			catch (Throwable ex) {
				// Fails the command at once, because closing a broken connection may take
				// as long as a statement.
				fail(failure(ex));
				return false;
			}
		}

		private void answer() {
			this.answers.run();
		}

		/** Executes this command alone; returns the action that answers it. */
		Runnable executeAlone(Session session, Dialect dialect) throws SQLException {
			T result = this.work.on(session, dialect);
			return () -> this.answer.complete(result);
		}

		RowUpdates.Update<T> update() {
			return (RowUpdates.Update<T>) this.work;
		}

		/** Answers this command after a turn with several commands. */
		void answerAfter(Set<Long> changed) {
			this.answer.complete(update().answer(changed.contains(update().row().revision())));
		}

		/** Fails the command; does nothing if it has an answer or a result. */
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
