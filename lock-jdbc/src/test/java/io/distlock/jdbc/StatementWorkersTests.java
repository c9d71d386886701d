package io.distlock.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.jdbc.StatementWorkers.Urgency;
import io.distlock.output.Seeds;
import io.distlock.records.place.LockRecords;
import io.distlock.spi.CallingThread;
import io.distlock.test.Pause;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which thread executes a statement, and how many connections are in use meanwhile. */
class StatementWorkersTests {

	private static final int STOPS = Seeds.of("lock.stops", 10, 100);

	/** Of the clock of the test. */
	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** Longer than the test waits for statements that do not hang. */
	private static final Duration HANGS = PATIENCE.multipliedBy(2);

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger mostOpen = new AtomicInteger();

	private final AtomicInteger opened = new AtomicInteger();

	private final AtomicInteger closing = new AtomicInteger();

	private volatile CountDownLatch mayClose = new CountDownLatch(0);

	private volatile boolean timeLimits = true;

	private final AtomicLong nanoTime = new AtomicLong(1);

	/** Precedes each connection. */
	private volatile Before connecting = () -> {
	};

	/** Those that were set, also as it was before. */
	private final Queue<Integer> networkTimeouts = new ConcurrentLinkedQueue<>();

	/** How likely an error is at each place outside of the threads of the store. */
	private final AtomicReference<Double> chance = new AtomicReference<>(0.0);

	private final Thread testing = Thread.currentThread();

	private StatementWorkers workers = workers("PostgreSQL", 2);

	@AfterEach
	void stop() {
		this.mayClose.countDown();
		this.workers.stop();
		Awaitility.await().untilAsserted(() -> assertThat(this.open).hasValue(0));
	}

	@Test
	void callerExecutesItsStatement() {
		assertThat(execute(CallingThread.NONE)).isNotEqualTo(Thread.currentThread());
		assertThat(execute(new Caller(Long.MAX_VALUE))).isEqualTo(Thread.currentThread());
		assertThat(this.mostOpen).hasValue(1);
	}

	@Test
	void connectionIsGivenBackBeforeTheAnswer() {
		assertThat(execute(CallingThread.NONE)).isNotNull();
		assertThat(this.open).hasValue(0);
		assertThat(execute(new Caller(Long.MAX_VALUE))).isNotNull();
		assertThat(this.open).hasValue(0);
	}

	@Test
	void callerOfADatabaseThatIsNotKnownExecutesNothing() {
		assertThat(execute(new Caller(Long.MAX_VALUE))).isNotEqualTo(Thread.currentThread());
	}

	@Test
	void impatientCallerExecutesNothing() {
		execute(CallingThread.NONE);
		assertThat(execute(new Caller(TIMEOUT.toNanos() - 1))).isNotEqualTo(Thread.currentThread());
		assertThat(execute(new Caller(TIMEOUT.toNanos()))).isEqualTo(Thread.currentThread());
	}

	@Test
	void callerOfAnEmbeddedDatabaseExecutesNothing() {
		this.workers.stop();
		this.workers = workers("H2", 1);
		execute(CallingThread.NONE);
		assertThat(execute(new Caller(Long.MAX_VALUE))).isNotEqualTo(Thread.currentThread());
	}

	@Test
	void callerOfAConnectionWithoutATimeLimitExecutesNothing() {
		this.timeLimits = false;
		execute(CallingThread.NONE);
		assertThat(execute(new Caller(Long.MAX_VALUE))).isNotEqualTo(Thread.currentThread());
		assertThat(execute(CallingThread.NONE)).isNotEqualTo(Thread.currentThread());
		assertThat(this.mostOpen).hasValue(1);
	}

	@Test
	void callerWhenConnectionsAreTheApplicationsExecutesNothing() {
		this.workers.stop();
		// One is still in use when the first answer comes.
		this.workers = workers(ConnectionSource.like(source("PostgreSQL"), TestDatabase.SETTINGS, TIMEOUT), 2);
		execute(CallingThread.NONE);
		assertThat(execute(new Caller(Long.MAX_VALUE))).isNotEqualTo(Thread.currentThread());
	}

	@Test
	void changeOfAnotherStoreIsNotExecutedOnTheConnectionOfThisOne() {
		StatementWorkers other = this.workers;
		StatementWorkers foreign = workers(ConnectionSource.like(source("PostgreSQL"), TestDatabase.SETTINGS, TIMEOUT),
				1);
		CountDownLatch listened = new CountDownLatch(1);
		AtomicReference<Thread> first = new AtomicReference<>();
		try {
			CompletableFuture<Thread> second = foreign.submit(Urgency.NORMAL, (connection, dialect) -> {
				first.set(Thread.currentThread());
				return await(listened);
			})
				.thenCompose((read) -> other.submit(Urgency.HIGH, (connection, dialect) -> Thread.currentThread()))
				.toCompletableFuture();
			listened.countDown();
			assertThat(second.join()).isNotEqualTo(first.get());
		}
		finally {
			foreign.stop();
		}
	}

	@Test
	void connectionThatACallerUsesCountsForThreadsOfTheStore() {
		this.workers.stop();
		this.workers = workers("PostgreSQL", 1);
		execute(CallingThread.NONE);
		Caller caller = new Caller(Long.MAX_VALUE);
		CompletableFuture<Thread> other = new CompletableFuture<>();
		this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			this.workers.submit(Urgency.NORMAL, (same, as) -> Thread.currentThread()).thenAccept(other::complete);
			return assertThat(this.open).hasValue(1);
		}, caller);
		caller.run();
		assertThat(other.join()).isNotEqualTo(Thread.currentThread());
		assertThat(this.mostOpen).hasValue(1);
	}

	@Test
	void callerThatFindsNoConnectionLeavesItsStatementToThreadsOfTheStore() {
		this.workers.stop();
		this.workers = workers("PostgreSQL", 1);
		execute(CallingThread.NONE);
		Caller first = new Caller(Long.MAX_VALUE);
		Caller second = new Caller(Long.MAX_VALUE);
		CompletionStage<CompletionStage<Thread>> nested = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			second.run();
			return second.answer;
		}, first);
		second.answer = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> Thread.currentThread(), second);
		first.run();
		assertThat(nested.toCompletableFuture().join().toCompletableFuture().join())
			.isNotEqualTo(Thread.currentThread());
	}

	@Test
	void callerWhenItsStatementFailsThenTheConnectionIsGivenBack() {
		execute(CallingThread.NONE);
		Caller caller = new Caller(Long.MAX_VALUE);
		CompletionStage<Object> failed = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			throw new IllegalStateException("as the driver does");
		}, caller);
		caller.run();
		assertThat(failed).failsWithin(PATIENCE)
			.withThrowableThat()
			.havingRootCause()
			.withMessage("as the driver does");
		assertThat(this.open).hasValue(0);
	}

	@Test
	void failureOnTheThreadOfACallerIsAnsweredBeforeTheConnectionIsGivenBack() {
		execute(CallingThread.NONE);
		assertThatAnswerPrecedesClosing(new Caller(Long.MAX_VALUE));
	}

	@Test
	void failureOnAThreadOfTheStoreIsAnsweredBeforeTheConnectionIsGivenBack() {
		assertThatAnswerPrecedesClosing(CallingThread.NONE);
	}

	private void assertThatAnswerPrecedesClosing(CallingThread caller) {
		this.mayClose = new CountDownLatch(1);
		CompletableFuture<Object> failed = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			throw new IllegalStateException("as the driver does");
		}, caller).toCompletableFuture();
		if (caller instanceof Caller own) {
			CompletableFuture.runAsync(own::run);
		}
		assertThat(failed).failsWithin(PATIENCE)
			.withThrowableThat()
			.havingRootCause()
			.withMessage("as the driver does");
		assertThat(this.open).hasValue(1);
	}

	@Test
	void connectionIsUsedForWhatWaitsButNotForEver() {
		this.workers.stop();
		this.workers = workers("PostgreSQL", 1);
		CountDownLatch all = new CountDownLatch(1);
		CompletionStage<Boolean> first = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> await(all));
		Awaitility.await().untilAsserted(() -> assertThat(this.open).hasValue(1));
		List<CompletionStage<Boolean>> waiting = IntStream.range(0, 249)
			.mapToObj((i) -> this.workers.submit(Urgency.NORMAL, (connection, dialect) -> true))
			.toList();
		all.countDown();
		assertThat(first).succeedsWithin(PATIENCE);
		assertThat(waiting).allSatisfy((answer) -> assertThat(answer).succeedsWithin(PATIENCE));
		assertThat(this.opened).hasValue(3);
	}

	@Test
	void connectionThatIsBeingGivenBackCounts() {
		this.workers.stop();
		this.workers = workers("PostgreSQL", 1);
		this.mayClose = new CountDownLatch(1);
		CompletionStage<Thread> first = this.workers.submit(Urgency.NORMAL, (connection, as) -> Thread.currentThread());
		Awaitility.await().untilAsserted(() -> assertThat(this.closing).hasValue(1));
		Caller caller = new Caller(Long.MAX_VALUE);
		CompletionStage<Thread> second = this.workers.submit(Urgency.NORMAL, (connection, as) -> Thread.currentThread(),
				caller);
		caller.run();
		// Long enough for another connection.
		Pause.of(Duration.ofMillis(200));
		assertThat(first.toCompletableFuture()).isNotDone();
		assertThat(second.toCompletableFuture()).isNotDone();
		this.mayClose.countDown();
		assertThat(second).succeedsWithin(PATIENCE);
		assertThat(this.mostOpen).hasValue(1);
	}

	@Test
	void callerWaitsNoLongerForTheConnectionAndTheAnswerTogether() {
		execute(CallingThread.NONE);
		assertThat(this.networkTimeouts).containsExactly((int) TIMEOUT.toMillis(), 0);
		this.connecting = () -> this.nanoTime.addAndGet(Duration.ofSeconds(3).toNanos());
		assertThat(execute(new Caller(Long.MAX_VALUE))).isEqualTo(Thread.currentThread());
		assertThat(this.networkTimeouts).containsExactly((int) TIMEOUT.toMillis(), 0, 2000, 0);
	}

	@Test
	void interruptedCallerThatGetsNoConnectionLeavesItsStatementToThreadsOfTheStore() {
		execute(CallingThread.NONE);
		this.connecting = () -> {
			if (Thread.currentThread().isInterrupted()) {
				throw new SQLException("interrupted");
			}
		};
		Caller caller = new Caller(Long.MAX_VALUE);
		CompletionStage<Thread> answer = this.workers.submit(Urgency.NORMAL,
				(connection, dialect) -> Thread.currentThread(), caller);
		Thread.currentThread().interrupt();
		caller.run();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(answer).succeedsWithin(PATIENCE).isNotEqualTo(Thread.currentThread());
	}

	@Test
	void updatesGoOnWhileAConnectionDoesNotCome() {
		execute(CallingThread.NONE);
		CountDownLatch comes = new CountDownLatch(1);
		AtomicInteger attempts = new AtomicInteger();
		this.connecting = () -> {
			if (attempts.incrementAndGet() == 1) {
				await(comes);
			}
		};
		CompletionStage<Boolean> first = this.workers.submit(Urgency.HIGH, new Change());
		Awaitility.await().untilAsserted(() -> assertThat(attempts).hasValue(1));
		CompletionStage<Boolean> second = this.workers.submit(Urgency.HIGH, new Change());
		assertThat(second.toCompletableFuture()).isNotDone();
		this.nanoTime.addAndGet(TIMEOUT.toNanos() + 1);
		CompletionStage<Boolean> third = this.workers.submit(Urgency.HIGH, new Change());
		assertThat(first).succeedsWithin(PATIENCE);
		assertThat(second).succeedsWithin(PATIENCE);
		assertThat(third).succeedsWithin(PATIENCE);
		comes.countDown();
	}

	@Test
	void whatWaitsLearnsWhyThereIsNoConnection() {
		CountDownLatch both = new CountDownLatch(2);
		CountDownLatch refused = new CountDownLatch(1);
		this.connecting = () -> {
			both.countDown();
			await(refused);
			throw new SQLException("made up", "08001");
		};
		List<CompletionStage<?>> waiting = List.of(this.workers.submit(Urgency.NORMAL, (connection, dialect) -> 1),
				this.workers.submit(Urgency.NORMAL, (connection, dialect) -> 2),
				this.workers.submit(Urgency.NORMAL, (connection, dialect) -> 3),
				this.workers.submit(Urgency.HIGH, new Change()));
		assertThat(await(both)).isTrue();
		this.nanoTime.addAndGet(Duration.ofMinutes(1).toNanos());
		refused.countDown();
		assertThat(waiting).allSatisfy((answer) -> assertThat(answer).failsWithin(PATIENCE)
			.withThrowableThat()
			.havingRootCause()
			.withMessage("made up"));
	}

	@Test
	void stopRefusesWhatWaitsAndWhatComes() {
		execute(CallingThread.NONE);
		Caller late = new Caller(Long.MAX_VALUE);
		CountDownLatch both = new CountDownLatch(3);
		StatementWorkers.Work<Boolean> hangs = (connection, dialect) -> {
			both.countDown();
			return await(both);
		};
		this.workers.submit(Urgency.NORMAL, hangs);
		this.workers.submit(Urgency.NORMAL, hangs);
		Awaitility.await().untilAsserted(() -> assertThat(both.getCount()).isOne());
		List<CompletionStage<?>> waiting = List.of(this.workers.submit(Urgency.NORMAL, (connection, dialect) -> true),
				this.workers.submit(Urgency.HIGH, new Change()), this.workers.submit(Urgency.HIGH, new Change()));
		CompletionStage<Boolean> ofCaller = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> true, late);
		this.workers.stop();
		late.run();
		assertThatItIsRefused(ofCaller);
		assertThat(waiting).allSatisfy(this::assertThatItIsRefused);
		assertThatItIsRefused(this.workers.submit(Urgency.NORMAL, (connection, dialect) -> true));
		assertThatItIsRefused(this.workers.submit(Urgency.HIGH, new Change()));
	}

	/** The queue is emptied last, so a thread may find something in it meanwhile. */
	@Test
	void stopRefusesWhatAThreadWouldGoOnWith() {
		// Many, as the first ones of them go on before the last one knows of the stop.
		int threads = 16;
		this.workers.stop();
		this.workers = workers("PostgreSQL", threads);
		for (int i = 0; i < STOPS; i++) {
			StatementWorkers stopping = (i == 0) ? this.workers : workers("PostgreSQL", threads);
			CountDownLatch begun = new CountDownLatch(threads);
			for (int thread = 0; thread < threads; thread++) {
				stopping.submit(Urgency.NORMAL, (connection, dialect) -> {
					begun.countDown();
					return await(new CountDownLatch(1));
				});
			}
			assertThat(await(begun)).isTrue();
			List<CompletionStage<Boolean>> waiting = IntStream.range(0, 2000)
				.mapToObj((n) -> stopping.submit(Urgency.NORMAL, (connection, dialect) -> true))
				.toList();
			stopping.stop();
			assertThat(waiting).allSatisfy(this::assertThatItIsRefused);
		}
	}

	private void assertThatItIsRefused(CompletionStage<?> answer) {
		assertThat(answer).failsWithin(PATIENCE)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockStoreException.class)
			.withMessageContaining("was stopped");
	}

	/** As one for want of memory, which may come at any place. */
	@Test
	void threadsGoOnAfterErrorsAndEachStatementHasAnAnswer() {
		this.chance.set(0.05);
		List<CompletableFuture<Thread>> answers = IntStream.range(0, 300)
			.mapToObj((i) -> this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
				mayFail();
				return Thread.currentThread();
			}).toCompletableFuture())
			.toList();
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(answers).allMatch(CompletableFuture::isDone));
		this.chance.set(0.0);
		assertThat(answers).anyMatch((answer) -> !answer.isCompletedExceptionally());
		openTwo();
	}

	@Test
	void errorWhileTheConnectionIsGivenBackCostsNoAnswer() {
		this.workers.stop();
		this.workers = workers("PostgreSQL", 1);
		CountDownLatch both = new CountDownLatch(1);
		CompletionStage<Boolean> first = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> await(both));
		CompletionStage<Boolean> second = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			this.chance.set(1.0);
			return true;
		});
		both.countDown();
		assertThat(first).succeedsWithin(PATIENCE);
		assertThat(second).succeedsWithin(PATIENCE).isEqualTo(true);
		this.chance.set(0.0);
	}

	private void mayFail() {
		if (ThreadLocalRandom.current().nextDouble() < this.chance.get()
				&& !Thread.currentThread().equals(this.testing)) {
			throw new NoClassDefFoundError("made up");
		}
	}

	/** Both threads of the store have a statement at the same time. */
	private void openTwo() {
		CountDownLatch both = new CountDownLatch(2);
		StatementWorkers.Work<Boolean> work = (connection, dialect) -> {
			both.countDown();
			return await(both);
		};
		CompletionStage<Boolean> first = this.workers.submit(Urgency.NORMAL, work);
		CompletionStage<Boolean> second = this.workers.submit(Urgency.NORMAL, work);
		assertThat(first).succeedsWithin(PATIENCE).isEqualTo(true);
		assertThat(second).succeedsWithin(PATIENCE).isEqualTo(true);
		assertThat(this.mostOpen).hasValue(2);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(HANGS.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

	private Thread execute(CallingThread caller) {
		CompletionStage<Thread> answer = this.workers.submit(Urgency.NORMAL,
				(connection, dialect) -> Thread.currentThread(), caller);
		if (caller instanceof Caller own) {
			own.run();
		}
		return answer.toCompletableFuture().join();
	}

	private StatementWorkers workers(String product, int count) {
		return workers(new ConnectionSource(source(product), TIMEOUT) {

			@Override
			boolean isOwn() {
				return true;
			}

		}, count);
	}

	private StatementWorkers workers(ConnectionSource connections, int count) {
		return new StatementWorkers(connections, count, TIMEOUT, new DatabaseClock(() -> {
			mayFail();
			return this.nanoTime.get();
		}), new DatabaseName("table"));
	}

	private DataSource source(String product) {
		DatabaseMetaData about = proxy(DatabaseMetaData.class, (method) -> product);
		return proxy(DataSource.class, (method) -> {
			mayFail();
			this.connecting.run();
			this.opened.incrementAndGet();
			this.mostOpen.accumulateAndGet(this.open.incrementAndGet(), Math::max);
			return connection(about);
		});
	}

	private Connection connection(DatabaseMetaData about) {
		AtomicInteger closed = new AtomicInteger();
		return proxy(Connection.class, (method) -> switch (method) {
			case "close" -> {
				this.closing.incrementAndGet();
				await(this.mayClose);
				int left = (closed.incrementAndGet() == 1) ? this.open.decrementAndGet() : 0;
				mayFail();
				yield left;
			}
			case "isClosed" -> closed.get() > 0;
			case "getAutoCommit" -> {
				mayFail();
				yield true;
			}
			case "getNetworkTimeout" -> {
				if (!this.timeLimits) {
					throw new SQLFeatureNotSupportedException("no time limits");
				}
				yield 0;
			}
			case "getMetaData" -> about;
			case "createStatement" -> proxy(Statement.class,
					(any) -> any.equals("executeQuery")
							? proxy(ResultSet.class,
									(of) -> of.equals("next") ? true : of.equals("getString") ? "SET" : 0L)
							: any.equals("execute") ? true : 0);
			default -> 0;
		});
	}

	private interface Before {

		void run() throws Exception;

	}

	private interface Answers {

		Object to(String method) throws Exception;

	}

	private <T> T proxy(Class<T> type, Answers answers) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(self, method, arguments) -> switch (method.getName()) {
					case "isWrapperFor" -> false;
					case "setNetworkTimeout" -> {
						this.networkTimeouts.add((Integer) arguments[1]);
						yield null;
					}
					default -> answers.to(method.getName());
				}));
	}

	private static final class Change implements RowUpdates.Update<Boolean> {

		private final Row row = new Row("name", 1, new LockRecords.Change("name", new LockRecords.Expected.At(1L), "",
				true, 1, 2, 0, 1, List.of(), new LockRecords.Summary("", 0, 0)));

		@Override
		public Row row() {
			return this.row;
		}

		@Override
		public Boolean on(Session session, Dialect dialect) {
			return true;
		}

		@Override
		public Set<Long> together(Session session, Dialect dialect, List<Row> rows) {
			return Set.of(1L);
		}

		@Override
		public Boolean answer(boolean changed) {
			return changed;
		}

	}

	/** As the engine does: runs nothing before it is asked to. */
	private static final class Caller implements CallingThread {

		private final Deque<Runnable> tasks = new ArrayDeque<>();

		private final long patience;

		private CompletionStage<Thread> answer = CompletableFuture.failedStage(new IllegalStateException());

		private Caller(long patience) {
			this.patience = patience;
		}

		@Override
		public boolean offer(Runnable task) {
			return this.tasks.add(task);
		}

		@Override
		public long patienceNanos() {
			return this.patience;
		}

		private void run() {
			for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
				task.run();
			}
		}

	}

}
