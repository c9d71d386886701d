package io.distlock.redis.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.TestThreads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/** Which connection a command gets, without a server. */
@Timeout(60)
class KeptConnectionsTests {

	private static final Duration SHORT = Duration.ofMillis(20);

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final ScriptArguments NOTHING = ScriptArguments.of(List.of("key"), List.of());

	/** Used by the test only, with a small heap it would be too late to create one. */
	private static final Error NO_MEMORY = new OutOfMemoryError("a test");

	private final Queue<FakeLink> links = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final AtomicLong nanoTime = new AtomicLong();

	private KeptConnections connections(int most, Duration patience) {
		return new KeptConnections(this::open, most, patience, this.nanoTime::get, this.tasks::add);
	}

	private FakeLink open(Duration atMost) {
		FakeLink link = new FakeLink();
		this.links.add(link);
		return link;
	}

	private FakeLink only() {
		assertThat(this.links).hasSize(1);
		return this.links.element();
	}

	private static void send(KeptConnections connections) {
		connections.run(LockScript.ACQUIRE, true, NOTHING);
	}

	/** A command under way, which holds its connection until it is let go. */
	private FutureTask<Throwable> sending(KeptConnections connections, CountDownLatch end) {
		return sending(connections, () -> awaitEnd(end));
	}

	private FutureTask<Throwable> sending(KeptConnections connections, Runnable command) {
		int before = this.links.stream().mapToInt((link) -> link.uses.get()).sum();
		FutureTask<Throwable> thread = TestThreads.inThread(() -> catchThrowable(() -> {
			FakeLink.beforeReply.set(command);
			send(connections);
		}));
		await().until(() -> this.links.stream().mapToInt((link) -> link.uses.get()).sum() > before);
		return thread;
	}

	private static void awaitEnd(CountDownLatch end) {
		try {
			end.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void commandsOneAfterTheOtherUseOneConnection() {
		KeptConnections connections = connections(8, SHORT);
		send(connections);
		send(connections);
		assertThat(only().uses).hasValue(2);
		assertThat(only().state).isEqualTo(State.OPEN);
	}

	@Test
	void commandsOfManyThreadsNeverShareAConnectionNorExceedTheLimit() throws Exception {
		KeptConnections connections = new KeptConnections(this::open, 3, LONG, System::nanoTime, (task) -> {
		});
		List<FutureTask<Void>> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			int number = i;
			threads.add(TestThreads.inThread(() -> {
				for (int n = 0; n < 2_000; n++) {
					boolean fails = n % 100 == number;
					FakeLink.beforeReply.set(fails ? () -> {
						throw new IllegalStateException("lost");
					} : Thread::yield);
					assertThat(catchThrowable(() -> send(connections)) != null).isEqualTo(fails);
				}
				return null;
			}));
		}
		for (FutureTask<Void> thread : threads) {
			TestThreads.get(thread);
		}
		assertThat(this.links).allSatisfy((link) -> assertThat(link.misused).isFalse());
		assertThat(this.links.stream().filter((link) -> link.state == State.OPEN).count()).isLessThanOrEqualTo(3);
		assertThat(FakeLink.mostAtOnce(this.links)).isLessThanOrEqualTo(3);
	}

	@Test
	void commandWhenAllAreInUseThenWaitsForOneAndOpensNone() throws Exception {
		KeptConnections connections = connections(1, LONG);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		FutureTask<Throwable> second = TestThreads.inWaitingThread(() -> catchThrowable(() -> send(connections)));
		end.countDown();
		assertThat(TestThreads.get(first)).isNull();
		assertThat(TestThreads.get(second)).isNull();
		assertThat(only().uses).hasValue(2);
	}

	@Test
	void commandWhenNoneIsFreeInTimeThenFailsAndMayBeRepeated() throws Exception {
		KeptConnections connections = new KeptConnections(this::open, 1, SHORT, System::nanoTime, this.tasks::add);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> send(connections))
			.withMessageStartingWith("No connection was free in time");
		end.countDown();
		assertThat(TestThreads.get(first)).isNull();
		send(connections);
		assertThat(only().misused).isFalse();
	}

	@Test
	void commandWhenItWaitsAndTheOnlyConnectionEndsThenItOpensAnotherInTheRestOfItsPatience() throws Exception {
		Queue<Duration> within = new ConcurrentLinkedQueue<>();
		KeptConnections connections = new KeptConnections((atMost) -> {
			within.add(atMost);
			return open(atMost);
		}, 1, LONG, this.nanoTime::get, this.tasks::add);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, () -> {
			awaitEnd(end);
			throw new IllegalStateException("lost");
		});
		FutureTask<Throwable> second = TestThreads.inWaitingThread(() -> catchThrowable(() -> send(connections)));
		this.nanoTime.addAndGet(LONG.dividedBy(3).toNanos());
		long begin = System.nanoTime();
		end.countDown();
		assertThat(TestThreads.get(first)).hasMessage("lost");
		assertThat(TestThreads.get(second)).isNull();
		assertThat(System.nanoTime() - begin).isLessThan(LONG.toNanos());
		// The first command closes the other one too if that is idle by then.
		assertThat(this.links).hasSize(2).noneMatch((link) -> link.misused);
		assertThat(this.links.element().state).isEqualTo(State.CLOSED);
		assertThat(within).containsExactly(LONG, LONG.minus(LONG.dividedBy(3)));
	}

	@Test
	void commandWhenInterruptedWhileItWaitsThenFailsWithTheInterrupt() throws Exception {
		KeptConnections connections = connections(1, LONG);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		FutureTask<Throwable> second = TestThreads.inThread(() -> {
			Thread.currentThread().interrupt();
			return catchThrowable(() -> send(connections));
		});
		assertThat(TestThreads.get(second)).isInstanceOf(TransientStoreException.class)
			.hasCauseInstanceOf(InterruptedException.class);
		end.countDown();
		assertThat(TestThreads.get(first)).isNull();
	}

	@Test
	void commandWhenTheServerReportsAnErrorThenTheConnectionIsKept() {
		KeptConnections connections = connections(8, SHORT);
		FakeLink.beforeReply.set(() -> {
			throw new ErrorReply();
		});
		assertThatExceptionOfType(ErrorReply.class).isThrownBy(() -> send(connections));
		send(connections);
		assertThat(only().uses).hasValue(2);
	}

	@Test
	void commandWhenTheConnectionIsLostThenItAndThoseThatAreIdleAreClosed() throws Exception {
		KeptConnections connections = connections(8, SHORT);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		send(connections);
		end.countDown();
		TestThreads.get(first);
		assertThat(this.links).hasSize(2);
		FakeLink.beforeReply.set(() -> {
			throw new IllegalStateException("lost");
		});
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> send(connections));
		assertThat(this.links).extracting((link) -> link.state).containsOnly(State.CLOSED);
		send(connections);
		assertThat(this.links).hasSize(3);
	}

	/** The rest of the reply would be the answer to the next command. */
	@Test
	void commandWhenAnErrorComesWithinTheReplyThenTheConnectionIsClosed() {
		KeptConnections connections = connections(8, SHORT);
		FakeLink.beforeReply.set(() -> {
			throw NO_MEMORY;
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> send(connections));
		assertThat(only().state).isEqualTo(State.CLOSED);
	}

	@Test
	void commandWhenConnectionsCannotBeOpenedThenTheyCountForNothing() {
		AtomicInteger refused = new AtomicInteger(5);
		KeptConnections connections = new KeptConnections((atMost) -> {
			if (refused.getAndDecrement() > 0) {
				throw new IllegalStateException("refused");
			}
			return open(atMost);
		}, 2, SHORT, this.nanoTime::get, this.tasks::add);
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> send(connections))
				.withMessage("refused");
		}
		send(connections);
		assertThat(only().uses).hasValue(1);
	}

	@Test
	void sweepThenThoseThatWereIdleForLongAreClosed() throws Exception {
		KeptConnections connections = connections(8, SHORT);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		send(connections);
		FakeLink early = this.links.stream().skip(1).findFirst().orElseThrow();
		this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos() - 1);
		end.countDown();
		TestThreads.get(first);
		this.nanoTime.incrementAndGet();
		this.tasks.remove().run();
		assertThat(early.state).isEqualTo(State.CLOSED);
		assertThat(this.links.element().state).isEqualTo(State.OPEN);
		assertThat(this.tasks).as("another sweep, for the one that is left").hasSize(1);
		this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos());
		this.tasks.remove().run();
		assertThat(this.links).extracting((link) -> link.state).containsOnly(State.CLOSED);
		assertThat(this.tasks).isEmpty();
		send(connections);
		assertThat(this.links).hasSize(3);
		assertThat(this.tasks).as("a sweep for the new one").hasSize(1);
	}

	@Test
	void sweepWhenSeveralWereIdleForLongThenAllOfThemAreClosed() throws Exception {
		KeptConnections connections = connections(8, SHORT);
		CountDownLatch late = new CountDownLatch(1);
		CountDownLatch early = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, late);
		FutureTask<Throwable> second = sending(connections, early);
		send(connections);
		early.countDown();
		TestThreads.get(second);
		this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos() - 1);
		late.countDown();
		TestThreads.get(first);
		this.nanoTime.incrementAndGet();
		this.tasks.remove().run();
		assertThat(this.links).extracting((link) -> link.state).containsExactly(State.OPEN, State.CLOSED, State.CLOSED);
	}

	@Test
	void commandWhenTheConnectionWasIdleForLongThenAnotherOneIsOpened() {
		KeptConnections connections = connections(1, SHORT);
		send(connections);
		this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos());
		send(connections);
		assertThat(this.links).extracting((link) -> link.state).containsExactly(State.CLOSED, State.OPEN);
	}

	@Test
	void closeThenAllAreClosedAlsoThoseInUseOnceTheyAreFree() throws Exception {
		KeptConnections connections = connections(8, SHORT);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		send(connections);
		connections.close();
		assertThat(this.links).extracting((link) -> link.state).containsExactly(State.OPEN, State.CLOSED);
		end.countDown();
		assertThat(TestThreads.get(first)).isNull();
		assertThat(this.links).extracting((link) -> link.state).containsOnly(State.CLOSED);
	}

	/** A younger one below an older one would be lost with it, or be kept for ever. */
	@Test
	void sweepWhenAConnectionWasKeptWhileAnotherOneReadTheClockThenBothAreClosed() throws Exception {
		AtomicReference<Runnable> whileReading = new AtomicReference<>();
		KeptConnections connections = new KeptConnections(this::open, 2, SHORT, () -> {
			long read = this.nanoTime.get();
			Runnable other = whileReading.getAndSet(null);
			if (other != null) {
				other.run();
			}
			return read;
		}, this.tasks::add);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> other = sending(connections, end);
		FakeLink.beforeReply.set(() -> whileReading.set(() -> {
			this.nanoTime.incrementAndGet();
			end.countDown();
			assertThat(catchThrowable(() -> TestThreads.get(other))).isNull();
		}));
		send(connections);
		assertThat(this.links).hasSize(2);
		for (int i = 0; i < 2; i++) {
			this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos());
			List.copyOf(this.tasks).forEach(Runnable::run);
		}
		assertThat(this.links).extracting((link) -> link.state).containsOnly(State.CLOSED);
	}

	@Test
	void commandWhenAnErrorComesAfterTheReplyThenAnotherConnectionMayBeOpened() {
		AtomicReference<Error> failure = new AtomicReference<>();
		KeptConnections connections = new KeptConnections(this::open, 1, SHORT, () -> {
			Error error = failure.getAndSet(null);
			if (error != null) {
				throw error;
			}
			return System.nanoTime();
		}, this.tasks::add);
		FakeLink.beforeReply.set(() -> failure.set(NO_MEMORY));
		assertThat(catchThrowable(() -> send(connections))).as("the reply is not lost").isNull();
		assertThat(only().state).isEqualTo(State.CLOSED);
		send(connections);
		assertThat(this.links).hasSize(2);
	}

	@Test
	void commandWhenASweepCannotBePlannedThenTheNextCommandPlansIt() {
		AtomicReference<Error> failure = new AtomicReference<>(NO_MEMORY);
		KeptConnections connections = new KeptConnections(this::open, 1, SHORT, this.nanoTime::get, (task) -> {
			Error error = failure.getAndSet(null);
			if (error != null) {
				throw error;
			}
			this.tasks.add(task);
		});
		send(connections);
		assertThat(this.tasks).as("the reply is not lost").isEmpty();
		send(connections);
		assertThat(only().misused).isFalse();
		assertThat(this.tasks).hasSize(1);
	}

	/** As on a machine that is suspended just then. */
	@Test
	void sweepWhenItRunsBeforeItsPlanningEndedThenTheNextCommandPlansAnother() {
		AtomicInteger pauses = new AtomicInteger(1);
		KeptConnections connections = new KeptConnections(this::open, 2, SHORT, this.nanoTime::get, (task) -> {
			if (pauses.getAndDecrement() > 0) {
				this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos());
				task.run();
			}
			else {
				this.tasks.add(task);
			}
		});
		send(connections);
		assertThat(this.tasks).isEmpty();
		send(connections);
		assertThat(this.tasks).hasSize(1);
	}

	/** The interrupt of a virtual thread closes the connection that it reads from. */
	@Test
	void commandWhenTheCallerIsInterruptedThenOnlyItsConnectionIsClosed() throws Exception {
		KeptConnections connections = connections(8, SHORT);
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> first = sending(connections, end);
		send(connections);
		end.countDown();
		TestThreads.get(first);
		FutureTask<Throwable> interrupted = TestThreads.inThread(() -> {
			FakeLink.beforeReply.set(() -> {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Closed by interrupt");
			});
			return catchThrowable(() -> send(connections));
		});
		assertThat(TestThreads.get(interrupted)).hasMessage("Closed by interrupt");
		assertThat(this.links).extracting((link) -> link.state).containsExactlyInAnyOrder(State.OPEN, State.CLOSED);
	}

	/**
	 * Whatever happens, a connection is used by one thread and closed once, there are
	 * never more than the limit, all of the limit can be used afterwards, no thread waits
	 * for ever, a reply is not lost, and in the end all are closed.
	 */
	@Test
	void commandsWhenConnectionsBreakAgeAndEndAtRandom() throws Exception {
		for (int seed = 0; seed < 80; seed++) {
			new Round(seed).run();
		}
	}

	private static final class Round {

		private static final int THREADS = 5;

		private final Random random;

		private final int most;

		private final String name;

		private final Queue<FakeLink> links = new ConcurrentLinkedQueue<>();

		private final Queue<Runnable> sweeps = new ConcurrentLinkedQueue<>();

		private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();

		private final AtomicLong nanoTime = new AtomicLong();

		private final KeptConnections connections;

		Round(int seed) {
			this.random = new Random(seed);
			this.most = 1 + seed % 3;
			this.name = "seed " + seed;
			this.connections = new KeptConnections(this::open, this.most, Duration.ofDays(1), this.nanoTime::get,
					this::later);
		}

		private FakeLink open(Duration atMost) {
			if (ThreadLocalRandom.current().nextInt(8) == 0) {
				throw new IllegalStateException("refused");
			}
			FakeLink link = new FakeLink();
			this.links.add(link);
			if (alive() > this.most) {
				this.surprises.add(new AssertionError("more than " + this.most));
			}
			return link;
		}

		private void later(Runnable sweep) {
			if (ThreadLocalRandom.current().nextInt(8) == 0) {
				throw new RejectedExecutionException("a test");
			}
			this.sweeps.add(sweep);
		}

		private long alive() {
			return this.links.stream().filter((link) -> link.state == State.OPEN).count();
		}

		void run() throws Exception {
			boolean closes = this.random.nextBoolean();
			List<FutureTask<Void>> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				Random own = new Random(this.random.nextLong());
				boolean closer = closes && i < 2;
				threads.add(TestThreads.inThread(() -> {
					for (int n = 0; n < 25; n++) {
						step(own);
					}
					if (closer) {
						this.connections.close();
					}
					for (int n = 0; n < 5; n++) {
						step(own);
					}
					return null;
				}));
			}
			for (FutureTask<Void> thread : threads) {
				TestThreads.get(thread);
			}
			if (closes) {
				assertThat(alive()).as(this.name).isZero();
			}
			assertAllOfTheLimitCanBeUsed();
			this.connections.close();
			this.connections.close();
			assertThat(this.surprises).as(this.name).isEmpty();
			assertThat(alive()).as(this.name).isZero();
			assertThat(this.links).as(this.name).noneMatch((link) -> link.misused);
		}

		private void assertAllOfTheLimitCanBeUsed() throws Exception {
			CountDownLatch all = new CountDownLatch(this.most);
			List<FutureTask<Void>> users = new ArrayList<>();
			for (int i = 0; i < this.most; i++) {
				users.add(TestThreads.inThread(() -> {
					while (isRefused(() -> {
						all.countDown();
						awaitEnd(all);
					})) {
						Thread.onSpinWait();
					}
					return null;
				}));
			}
			for (FutureTask<Void> user : users) {
				TestThreads.get(user);
			}
		}

		private boolean isRefused(Runnable command) {
			FakeLink.beforeReply.set(command);
			Throwable failure = catchThrowable(() -> send(this.connections));
			FakeLink.beforeReply.remove();
			return failure != null && "refused".equals(failure.getMessage());
		}

		private void step(Random own) {
			int action = own.nextInt(20);
			if (action == 0) {
				this.nanoTime.addAndGet(KeptConnections.IDLE.dividedBy(2).toNanos());
			}
			Runnable sweep = (action < 3) ? this.sweeps.poll() : null;
			if (sweep != null) {
				sweep.run();
			}
			Throwable expected = failure(action);
			if (action == 6 || action == 7) {
				Thread.currentThread().interrupt();
			}
			FakeLink.beforeReply.set(() -> {
				Thread.yield();
				if (expected instanceof RuntimeException exception) {
					throw exception;
				}
				if (expected instanceof Error error) {
					throw error;
				}
			});
			Throwable failure = catchThrowable(() -> send(this.connections));
			FakeLink.beforeReply.remove();
			boolean interrupted = action == 6 || action == 7;
			Thread.interrupted();
			if (failure != expected && !(failure != null && "refused".equals(failure.getMessage()))
					&& !(interrupted && failure instanceof TransientStoreException)) {
				this.surprises.add((failure != null) ? failure : new AssertionError("no " + expected));
			}
		}

		private static @Nullable Throwable failure(int action) {
			return switch (action) {
				case 3 -> new ErrorReply();
				case 4, 5, 6 -> new IllegalStateException("lost");
				case 8 -> NO_MEMORY;
				default -> null;
			};
		}

	}

	private enum State {

		OPEN, CLOSED

	}

	private static final class ErrorReply extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	private static final class FakeLink implements KeptConnections.Link {

		/** What happens in the next command of the thread. */
		static final ThreadLocal<Runnable> beforeReply = new ThreadLocal<>();

		final AtomicInteger uses = new AtomicInteger();

		private final AtomicInteger users = new AtomicInteger();

		private final long openedAt = System.nanoTime();

		private volatile long endedAt = Long.MAX_VALUE;

		volatile State state = State.OPEN;

		volatile boolean misused;

		/** How many were open at once: when one was opened, those that had not ended. */
		static long mostAtOnce(Queue<FakeLink> links) {
			return links.stream()
				.mapToLong((one) -> links.stream()
					.filter((other) -> other.openedAt <= one.openedAt && other.endedAt > one.openedAt)
					.count())
				.max()
				.orElse(0);
		}

		@Override
		public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
			this.uses.incrementAndGet();
			if (this.users.incrementAndGet() != 1 || this.state != State.OPEN) {
				this.misused = true;
			}
			Runnable action = beforeReply.get();
			beforeReply.remove();
			try {
				if (action != null) {
					action.run();
				}
				return List.of();
			}
			finally {
				this.users.decrementAndGet();
			}
		}

		@Override
		public boolean isAnswer(Throwable failure) {
			return failure instanceof ErrorReply;
		}

		@Override
		public void close() {
			if (this.users.get() != 0 || this.state != State.OPEN) {
				this.misused = true;
			}
			this.endedAt = System.nanoTime();
			this.state = State.CLOSED;
		}

	}

}
