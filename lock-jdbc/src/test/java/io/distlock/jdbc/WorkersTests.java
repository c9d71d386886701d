package io.distlock.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.jdbc.Workers.Urgency;
import io.distlock.spi.CallingThread;
import io.distlock.test.Pause;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which thread executes a statement, and how many connections are open meanwhile. */
class WorkersTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger mostOpen = new AtomicInteger();

	private final AtomicInteger closing = new AtomicInteger();

	private volatile CountDownLatch mayClose = new CountDownLatch(0);

	private volatile boolean timeLimits = true;

	private final AtomicLong nanoTime = new AtomicLong(1);

	/** How likely an error is at each place outside of the threads of the store. */
	private final AtomicReference<Double> chance = new AtomicReference<>(0.0);

	private final Thread testing = Thread.currentThread();

	private Workers workers = workers("PostgreSQL", 2);

	@AfterEach
	void stop() {
		this.mayClose.countDown();
		this.workers.stop();
		Awaitility.await().untilAsserted(() -> assertThat(this.open).hasValue(0));
	}

	@Test
	void callerExecutesOnTheConnectionThatIsIdle() {
		assertThat(execute(CallingThread.NONE)).isNotEqualTo(Thread.currentThread());
		assertThat(execute(new Caller(Long.MAX_VALUE))).isEqualTo(Thread.currentThread());
		assertThat(this.open).hasValue(1);
	}

	@Test
	void callerOpensNoConnection() {
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
		this.workers = workers(ConnectionSource.like(source("PostgreSQL"), TestDatabase.SETTINGS, TIMEOUT), 1);
		execute(CallingThread.NONE);
		assertThat(execute(new Caller(Long.MAX_VALUE))).isNotEqualTo(Thread.currentThread());
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
		assertThat(this.open).hasValue(1);
	}

	@Test
	void callerThatFindsNoConnectionLeavesItsStatementToThreadsOfTheStore() {
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
	void callerWhenItsStatementFailsThenTheConnectionIsClosed() {
		execute(CallingThread.NONE);
		Caller caller = new Caller(Long.MAX_VALUE);
		CompletionStage<Object> failed = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			throw new IllegalStateException("as the driver does");
		}, caller);
		caller.run();
		assertThat(failed).failsWithin(TIMEOUT).withThrowableThat().havingRootCause().withMessage("as the driver does");
		// On another thread, as the caller has its answer.
		Awaitility.await().untilAsserted(() -> assertThat(this.open).hasValue(0));
	}

	@Test
	void callerIsAnsweredBeforeABrokenConnectionIsClosed() {
		execute(CallingThread.NONE);
		assertThatAnswerPrecedesClosing(new Caller(Long.MAX_VALUE));
	}

	@Test
	void failureOnAThreadOfTheStoreIsAnsweredBeforeTheConnectionIsClosed() {
		assertThatAnswerPrecedesClosing(CallingThread.NONE);
	}

	private void assertThatAnswerPrecedesClosing(CallingThread caller) {
		this.mayClose = new CountDownLatch(1);
		CompletableFuture<Object> failed = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			throw new IllegalStateException("as the driver does");
		}, caller).toCompletableFuture();
		if (caller instanceof Caller own) {
			CompletableFuture.runAsync(own::run).orTimeout(2, TimeUnit.SECONDS).join();
			assertThat(failed).isCompletedExceptionally();
		}
		assertThat(failed).failsWithin(TIMEOUT).withThrowableThat().havingRootCause().withMessage("as the driver does");
		assertThat(this.open).hasValue(1);
	}

	@Test
	void connectionsThatNothingUsesAreGivenBackAlthoughThereIsAlwaysSomethingToDo() {
		openTwo();
		this.nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
		Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(4)).untilAsserted(() -> {
			execute(CallingThread.NONE);
			execute(CallingThread.NONE);
			assertThat(this.open).hasValue(1);
		});
	}

	@Test
	void connectionThatIsBeingClosedCounts() {
		openTwo();
		this.mayClose = new CountDownLatch(1);
		// The one in front is young, so only the other one is closed.
		this.nanoTime.addAndGet(Duration.ofMillis(900).toNanos());
		execute(CallingThread.NONE);
		this.nanoTime.addAndGet(Duration.ofMillis(200).toNanos());
		Awaitility.await().untilAsserted(() -> assertThat(this.closing).hasValue(1));
		Caller caller = new Caller(Long.MAX_VALUE);
		CompletableFuture<Thread> other = new CompletableFuture<>();
		CompletionStage<Thread> mine = this.workers.submit(Urgency.NORMAL, (connection, dialect) -> {
			this.workers.submit(Urgency.NORMAL, (same, as) -> Thread.currentThread()).thenAccept(other::complete);
			// Long enough for opening a third one.
			Pause.of(Duration.ofMillis(200));
			assertThat(other).isNotDone();
			return Thread.currentThread();
		}, caller);
		caller.run();
		assertThat(mine).isCompletedWithValue(Thread.currentThread());
		this.mayClose.countDown();
		assertThat(other).succeedsWithin(TIMEOUT);
		assertThat(this.mostOpen).hasValue(2);
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
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(answers).allMatch(CompletableFuture::isDone));
		this.chance.set(0.0);
		assertThat(answers).anyMatch((answer) -> !answer.isCompletedExceptionally());
		openTwo();
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
		Workers.Work<Boolean> work = (connection, dialect) -> {
			both.countDown();
			return await(both);
		};
		CompletionStage<Boolean> first = this.workers.submit(Urgency.NORMAL, work);
		CompletionStage<Boolean> second = this.workers.submit(Urgency.NORMAL, work);
		assertThat(first).succeedsWithin(TIMEOUT).isEqualTo(true);
		assertThat(second).succeedsWithin(TIMEOUT).isEqualTo(true);
		assertThat(this.open).hasValue(2);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

	@Test
	void connectionsThatOnlyCallersUsedAreGivenBack() {
		execute(CallingThread.NONE);
		assertThat(execute(new Caller(Long.MAX_VALUE))).isEqualTo(Thread.currentThread());
		this.nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
		Awaitility.await().atMost(Duration.ofSeconds(4)).untilAsserted(() -> assertThat(this.open).hasValue(0));
	}

	private Thread execute(CallingThread caller) {
		CompletionStage<Thread> answer = this.workers.submit(Urgency.NORMAL,
				(connection, dialect) -> Thread.currentThread(), caller);
		if (caller instanceof Caller own) {
			own.run();
		}
		return answer.toCompletableFuture().join();
	}

	private Workers workers(String product, int count) {
		OwnPool pool = new OwnPool(new HikariDataSource(), new HikariDataSource());
		return workers(new ConnectionSource(source(product), Optional.of(pool)), count);
	}

	private Workers workers(ConnectionSource connections, int count) {
		return new Workers(connections, count, TIMEOUT, new DatabaseClock(() -> {
			mayFail();
			return this.nanoTime.get();
		}), new DatabaseName("table"));
	}

	private DataSource source(String product) {
		DatabaseMetaData about = proxy(DatabaseMetaData.class, (method) -> product);
		return proxy(DataSource.class, (method) -> {
			mayFail();
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
			case "createStatement" -> proxy(Statement.class, (any) -> any.equals("executeQuery")
					? proxy(ResultSet.class, (of) -> of.equals("next") ? true : 0L) : any.equals("execute") ? true : 0);
			default -> 0;
		});
	}

	private interface Answers {

		Object to(String method) throws Exception;

	}

	private static <T> T proxy(Class<T> type, Answers answers) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method,
				arguments) -> method.getName().equals("isWrapperFor") ? false : answers.to(method.getName())));
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
