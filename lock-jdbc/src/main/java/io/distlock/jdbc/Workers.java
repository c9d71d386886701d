package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.LockStoreException;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.LoopGuard;
import org.jspecify.annotations.Nullable;

/**
 * The threads that talk to the database, and their connections, so that no caller's
 * transaction is joined and no caller's connection is used. There are as many connections
 * as threads, given back when there is nothing to do; each statement is a transaction of
 * its own.
 * <p>
 * A thread that waits for the answer executes its statement itself on a connection that
 * is open and idle, while nothing else waits: two changes of threads cost more than the
 * statement. It opens no connection, and only uses one whose statements have a time limit
 * and belongs to the store: other pools may join the transaction of the thread.
 */
final class Workers {

	/** Longer than the pauses between commands of a busy lock. */
	private static final Duration LINGER = Duration.ofSeconds(1);

	/** How much longer than others the first connection may take. */
	static final Duration CONNECT = Duration.ofSeconds(5);

	/** More cannot be answered in time. */
	private static final int MAX_WAITING = 4096;

	private final PriorityBlockingQueue<Task<?>> line = new PriorityBlockingQueue<>();

	/** Changes of rows that go together. */
	private final Queue<Task<?>> updates = new ConcurrentLinkedQueue<>();

	/** Turns of updates that are in the line, or under way. */
	private final AtomicInteger turns = new AtomicInteger();

	/** Open and idle, the one used last in front. */
	private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();

	/** Sessions that are open, idle or not. */
	private final AtomicInteger open = new AtomicInteger();

	/**
	 * One for each session that is opened, in use or closed. With nothing idle a thread
	 * opens a session, so there are never more of them than seats.
	 */
	private final Semaphore seats;

	private final AtomicLong arrivals = new AtomicLong();

	private final List<Thread> threads = new ArrayList<>();

	private final ConnectionSource connections;

	private final Duration commandTimeout;

	private final DatabaseClock clock;

	private final DatabaseName place;

	private final DatabaseErrors errors;

	/** When the first statement wanted a connection. */
	private final AtomicReference<Long> begun = new AtomicReference<>();

	/** Whether the first attempt to get a connection is over. */
	private volatile boolean connected;

	private volatile boolean running = true;

	private volatile @Nullable Dialect dialect;

	Workers(ConnectionSource connections, int count, Duration commandTimeout, DatabaseClock clock, DatabaseName place) {
		this.connections = connections;
		this.commandTimeout = commandTimeout;
		this.clock = clock;
		this.place = place;
		this.errors = new DatabaseErrors(place);
		this.seats = new Semaphore(count, true);
		for (int i = 1; i <= count; i++) {
			String name = "distributed-lock-jdbc-" + i;
			Thread thread = new Thread(() -> work(name), name);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	/** What is done with a connection. */
	interface Work<T> {

		T on(Connection connection, Dialect dialect) throws SQLException;

	}

	/** A change of one row, which goes together with others that wait as well. */
	interface Update<T> extends Work<T> {

		Row row();

		/**
		 * Changes several rows.
		 * @return the revisions of those that were changed
		 */
		Set<Long> together(Connection connection, Dialect dialect, List<Row> rows) throws SQLException;

		/** Returns the answer if the row went together with others. */
		T answer(boolean changed);

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
		long now = this.clock.nanoTime();
		if (!this.connected) {
			this.begun.compareAndSet(null, now);
		}
		Task<T> task = new Task<>(urgency, this.arrivals.incrementAndGet(), now + connectingNanos(), work);
		if (isBusy() || !serves(caller) || !caller.offer(() -> executeHere(task))) {
			enqueue(task);
		}
		return task.answer;
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

	/** What waits already comes first. */
	private boolean isBusy() {
		return this.idle.isEmpty() || !this.line.isEmpty() || this.seats.hasQueuedThreads();
	}

	/** A caller that would give up earlier must not wait for a server that hangs. */
	private boolean serves(CallingThread caller) {
		boolean patient = caller.patienceNanos() >= this.commandTimeout.toNanos();
		// Another pool may give the connection to the transaction of this thread.
		boolean own = this.connections.isOwn();
		Dialect known = this.dialect;
		return patient && own && known != null && known.servesCallers();
	}

	private void enqueue(Task<?> task) {
		if (!this.running) {
			task.fail(LockStoreException.notRunning("store on " + this.place));
			return;
		}
		if (task.isUpdate()) {
			// One at most for each lock that is held.
			this.updates.add(task);
			sendUpdates();
		}
		else if (this.line.size() < MAX_WAITING) {
			this.line.add(task);
		}
		else {
			task.fail(new TransientStoreException("",
					"The " + this.place + " has not answered " + MAX_WAITING + " commands, so no more are sent", null));
		}
		if (!this.running) {
			refuseAll();
		}
	}

	/** On the thread of a caller. */
	private void executeHere(Task<?> task) {
		try {
			executeIfIdle(task);
		}
		catch (Throwable ex) {
			task.fail(ex);
			throw ex;
		}
	}

	private void executeIfIdle(Task<?> task) {
		if (isBusy() || !this.seats.tryAcquire()) {
			enqueue(task);
			return;
		}
		Session session = this.idle.pollFirst();
		if (session != null && session.isBounded()) {
			end(executeSeated(task, session), Workers::onThreadOfItsOwn);
			return;
		}
		if (session != null) {
			putBack(session);
		}
		this.seats.release();
		enqueue(task);
	}

	/**
	 * Closing may block for as long as a statement, and the calling thread has its answer
	 * already. There are never more of these threads than seats.
	 */
	private static void onThreadOfItsOwn(Runnable closing) {
		Thread thread = new Thread(closing, "distributed-lock-jdbc-close");
		thread.setDaemon(true);
		thread.start();
	}

	void stop() {
		this.running = false;
		this.threads.forEach(Thread::interrupt);
		refuseAll();
	}

	private void refuseAll() {
		failAll(new LockStoreException("", "The store on " + this.place + " was stopped", null));
	}

	private void failAll(LockStoreException failure) {
		failAll(this.line, failure);
		failAll(this.updates, failure);
	}

	private static void failAll(Queue<Task<?>> waiting, LockStoreException failure) {
		for (Task<?> task = waiting.poll(); task != null; task = waiting.poll()) {
			task.fail(failure);
		}
	}

	private void work(String name) {
		LoopGuard guard = new LoopGuard(name);
		Runnable turn = this::executeOne;
		while (this.running) {
			guard.runOrPause(turn);
		}
		this.seats.acquireUninterruptibly();
		try {
			closeAll();
		}
		finally {
			this.seats.release();
		}
	}

	private void executeOne() {
		try {
			// Who opens a session comes by here before it may rest.
			Task<?> task = (this.open.get() > 0) ? this.line.poll(LINGER.toMillis(), TimeUnit.MILLISECONDS)
					: this.line.take();
			if (task != null) {
				executeNext(task);
			}
			// Also while there is always something to do.
			closeIdle();
		}
		catch (InterruptedException ex) {
			// Only stop() interrupts; the loop looks.
		}
	}

	/** Callers leave a seat when their statement has ended. */
	private void executeNext(Task<?> task) {
		try {
			this.seats.acquireUninterruptibly();
			end(executeSeated(task, this.idle.pollFirst()), Runnable::run);
		}
		catch (Throwable ex) {
			task.fail(ex);
			throw ex;
		}
	}

	/**
	 * While no further turn may begin, what comes waits, and goes together in the next
	 * one.
	 */
	private void sendUpdates() {
		if (!this.updates.isEmpty() && beginTurn()) {
			try {
				Updates turn = new Updates();
				Task<Runnable> task = new Task<>(Urgency.HIGH, this.arrivals.incrementAndGet(),
						this.clock.nanoTime() + connectingNanos(), turn);
				task.answer.whenComplete(turn::end);
				this.line.add(task);
			}
			catch (Throwable ex) {
				this.turns.decrementAndGet();
				throw ex;
			}
		}
	}

	private boolean beginTurn() {
		Dialect known = this.dialect;
		int most = (known != null) ? known.mostTurns(this.threads.size()) : 1;
		return this.turns.getAndUpdate((begun) -> (begun < most) ? begun + 1 : begun) < most;
	}

	private Ended executeSeated(Task<?> task, @Nullable Session free) {
		boolean ended = false;
		try {
			Ended result = execute(task, free);
			ended = true;
			return result;
		}
		finally {
			if (!ended) {
				this.seats.release();
			}
		}
	}

	/**
	 * Answers when others may use the session, as answers have listeners; of a broken one
	 * they need not wait for the end.
	 */
	private void end(Ended ended, Executor closer) {
		if (ended.broken.isEmpty()) {
			this.seats.release();
			ended.answer.run();
			return;
		}
		try {
			ended.answer.run();
		}
		finally {
			closeSeated(ended.broken.get(), closer);
		}
	}

	private void closeSeated(Session session, Executor closer) {
		Runnable closing = () -> {
			try {
				close(session);
			}
			finally {
				this.seats.release();
			}
		};
		try {
			closer.execute(closing);
		}
		catch (OutOfMemoryError ex) {
			// There are no more threads.
			closing.run();
		}
	}

	/** Closes what was not in use for a while. */
	private void closeIdle() {
		long now = this.clock.nanoTime();
		while (isOld(this.idle.peekLast(), now) && this.seats.tryAcquire()) {
			try {
				Session session = this.idle.pollLast();
				if (isOld(session, now)) {
					close(session);
				}
				else if (session != null) {
					this.idle.addLast(session);
				}
			}
			finally {
				this.seats.release();
			}
		}
	}

	private static boolean isOld(@Nullable Session session, long now) {
		return session != null && now - session.idleSince() >= LINGER.toNanos();
	}

	/** By a thread that has a seat. */
	private void closeAll() {
		for (Session session = this.idle.pollFirst(); session != null; session = this.idle.pollFirst()) {
			close(session);
		}
	}

	/**
	 * Leaves the session for the next task, if it is still good.
	 */
	private Ended execute(Task<?> task, @Nullable Session free) {
		Session session = free;
		Runnable answer;
		try {
			if (this.clock.nanoTime() - task.since > this.commandTimeout.toNanos()) {
				return left(session, task.failed(new TransientStoreException("",
						"The " + this.place + " did not answer within " + this.commandTimeout.toMillis() + " ms",
						null)));
			}
			if (session == null) {
				session = open();
				this.open.incrementAndGet();
				this.place.learn(session.connection());
				session.limitLockWait(dialectOf(session.connection()));
			}
			Dialect known = dialectOf(session.connection());
			return left(session, task.execute(session.connection(), known));
		}
		catch (SQLException ex) {
			SqlFailure failure = SqlFailure.of(ex);
			answer = task.failed(this.errors.exception(ex, Optional.ofNullable(this.dialect)));
			if (failure == SqlFailure.LOCKED && session != null) {
				return left(session, answer);
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
		return new Ended(answer, Optional.ofNullable(session));
	}

	private Session open() throws SQLException {
		try {
			return Session.open(this.connections.dataSource(), this.commandTimeout);
		}
		catch (SQLException ex) {
			if (this.open.get() == 0) {
				// What waits would wait in vain, and not learn why.
				failAll(this.errors.exception(ex, Optional.ofNullable(this.dialect)));
			}
			throw ex;
		}
		finally {
			if (!this.connected) {
				this.connected = true;
				// Whoever waits learns why there is no connection before giving up.
				this.connections.limit(this.commandTimeout.multipliedBy(3).dividedBy(4));
			}
		}
	}

	/** Leaves the session last: afterwards it may be in use. */
	private Ended left(@Nullable Session session, Runnable answer) {
		Ended good = new Ended(answer, Optional.empty());
		if (session != null) {
			session.idleSince(this.clock.nanoTime());
			putBack(session);
		}
		return good;
	}

	private void putBack(Session session) {
		this.idle.addFirst(session);
		if (!this.running) {
			closeAll();
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

	/** The updates that wait when their turn has come. */
	private final class Updates implements Work<Runnable> {

		private final List<Task<?>> taken = new ArrayList<>();

		/** Returns what answers each of them. */
		@Override
		public Runnable on(Connection connection, Dialect dialect) throws SQLException {
			take(dialect.mostTogether());
			if (this.taken.size() == 1) {
				return this.taken.get(0).execute(connection, dialect);
			}
			List<Row> rows = this.taken.stream().map((task) -> task.update().row()).toList();
			Set<Long> changed = rows.isEmpty() ? Set.of()
					: this.taken.get(0).update().together(connection, dialect, rows);
			return () -> this.taken.forEach((task) -> task.answerAfter(changed));
		}

		private void take(int most) {
			while (this.taken.size() < most) {
				Task<?> next = Workers.this.updates.poll();
				if (next == null) {
					return;
				}
				this.taken.add(next);
			}
		}

		/**
		 * Each of them has an answer, whatever has happened, and the next ones a turn.
		 */
		private void end(@Nullable Runnable answers, @Nullable Throwable failure) {
			Throwable unanswered = failure;
			try {
				if (answers == null && this.taken.isEmpty()) {
					// There was no connection, and there would be none for the others.
					take(Integer.MAX_VALUE);
				}
				Workers.this.turns.decrementAndGet();
				sendUpdates();
				if (answers != null) {
					answers.run();
				}
			}
			catch (Throwable ex) {
				unanswered = ex;
				throw ex;
			}
			finally {
				if (unanswered != null) {
					for (Task<?> task : this.taken) {
						task.fail(unanswered);
					}
				}
			}
		}

	}

	/**
	 * How a task has ended.
	 *
	 * @param answer completes what its caller waits for
	 * @param broken session that nothing may use any more
	 */
	private record Ended(Runnable answer, Optional<Session> broken) {
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

		boolean isUpdate() {
			return this.work instanceof Update<T>;
		}

		Update<T> update() {
			return (Update<T>) this.work;
		}

		/** The answer if it was one of several. */
		void answerAfter(Set<Long> changed) {
			try {
				boolean own = changed.contains(update().row().revision());
				this.answer.complete(update().answer(own));
			}
			catch (Throwable ex) {
				fail(ex);
			}
		}

		private Runnable failed(Throwable failure) {
			return () -> this.answer.completeExceptionally(failure);
		}

		/** Does nothing if there is an answer. */
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
