package io.distlock.redis.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.redis.client.FakeLink.State;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.TestThreads;
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
	static final Error NO_MEMORY = new OutOfMemoryError("a test");

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

	static void send(KeptConnections connections) {
		connections.run(LockScript.ACQUIRE, true, NOTHING);
	}

	/** A command under way, which has a connection for itself until it ends. */
	private record UnderWay(FutureTask<Throwable> thread, CountDownLatch end) {

		Throwable finish() throws Exception {
			this.end.countDown();
			return TestThreads.get(this.thread);
		}

	}

	private UnderWay begin(KeptConnections connections) {
		return begin(connections, () -> {
		});
	}

	private UnderWay begin(KeptConnections connections, Runnable beforeReply) {
		int before = this.links.stream().mapToInt((link) -> link.uses.get()).sum();
		CountDownLatch end = new CountDownLatch(1);
		FutureTask<Throwable> thread = TestThreads.inThread(() -> catchThrowable(() -> {
			FakeLink.beforeReply.set(() -> {
				awaitEnd(end);
				beforeReply.run();
			});
			send(connections);
		}));
		await().until(() -> this.links.stream().mapToInt((link) -> link.uses.get()).sum() > before);
		return new UnderWay(thread, end);
	}

	private UnderWay beginLost(KeptConnections connections) {
		return begin(connections, () -> {
			throw new IllegalStateException("lost");
		});
	}

	private static FutureTask<Throwable> waiting(KeptConnections connections) {
		return TestThreads.inWaitingThread(() -> catchThrowable(() -> send(connections)));
	}

	private void openTwo(KeptConnections connections) throws Exception {
		UnderWay first = begin(connections);
		send(connections);
		assertThat(first.finish()).isNull();
		assertThat(this.links).hasSize(2);
	}

	static void awaitEnd(CountDownLatch end) {
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
		UnderWay first = begin(connections);
		FutureTask<Throwable> second = waiting(connections);
		assertThat(first.finish()).isNull();
		assertThat(TestThreads.get(second)).isNull();
		assertThat(only().uses).hasValue(2);
	}

	@Test
	void commandWhenNoneIsFreeInTimeThenFailsAndMayBeRepeated() throws Exception {
		KeptConnections connections = new KeptConnections(this::open, 1, SHORT, System::nanoTime, this.tasks::add);
		UnderWay first = begin(connections);
		assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> send(connections))
			.withMessageStartingWith("No connection was free in time");
		assertThat(first.finish()).isNull();
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
		UnderWay first = beginLost(connections);
		FutureTask<Throwable> second = waiting(connections);
		this.nanoTime.addAndGet(LONG.dividedBy(3).toNanos());
		long begin = System.nanoTime();
		assertThat(first.finish()).hasMessage("lost");
		assertThat(TestThreads.get(second)).isNull();
		assertThat(System.nanoTime() - begin).isLessThan(LONG.toNanos());
		// The first command closes the other one too if that is idle by then.
		assertThat(this.links).hasSize(2).noneMatch((link) -> link.misused);
		assertThat(this.links.element().state).isEqualTo(State.CLOSED);
		assertThat(within).containsExactly(LONG, LONG.minus(LONG.dividedBy(3)));
	}

	/** Woken once for the end of the connection, by which only one thread can profit. */
	@Test
	void commandWhenOneWithTooLittleTimeToConnectWasWokenThenTheNextOneIsWokenAndConnects() throws Exception {
		KeptConnections connections = connections(1, LONG);
		UnderWay first = beginLost(connections);
		FutureTask<Throwable> second = waiting(connections);
		this.nanoTime.addAndGet(LONG.toNanos() - 1);
		FutureTask<Throwable> third = waiting(connections);
		assertThat(first.finish()).hasMessage("lost");
		assertThat(TestThreads.get(second)).hasMessageStartingWith("No connection was free in time");
		assertThat(TestThreads.get(third)).isNull();
		assertThat(this.links).hasSize(2);
	}

	@Test
	void commandWhenInterruptedWhileItWaitsThenFailsWithTheInterrupt() throws Exception {
		KeptConnections connections = connections(1, LONG);
		UnderWay first = begin(connections);
		FutureTask<Throwable> second = TestThreads.inThread(() -> {
			Thread.currentThread().interrupt();
			return catchThrowable(() -> send(connections));
		});
		assertThat(TestThreads.get(second)).isInstanceOf(TransientStoreException.class)
			.hasCauseInstanceOf(InterruptedException.class);
		assertThat(first.finish()).isNull();
	}

	@Test
	void commandWhenTheServerReportsAnErrorThenTheConnectionIsKept() {
		KeptConnections connections = connections(8, SHORT);
		FakeLink.beforeReply.set(() -> {
			throw new FakeLink.ErrorReply();
		});
		assertThatExceptionOfType(FakeLink.ErrorReply.class).isThrownBy(() -> send(connections));
		send(connections);
		assertThat(only().uses).hasValue(2);
	}

	@Test
	void commandWhenTheConnectionIsLostThenItAndThoseThatAreIdleAreClosed() throws Exception {
		KeptConnections connections = connections(8, SHORT);
		openTwo(connections);
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
		UnderWay first = begin(connections);
		send(connections);
		FakeLink early = this.links.stream().skip(1).findFirst().orElseThrow();
		this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos() - 1);
		first.finish();
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
		UnderWay late = begin(connections);
		UnderWay early = begin(connections);
		send(connections);
		early.finish();
		this.nanoTime.addAndGet(KeptConnections.IDLE.toNanos() - 1);
		late.finish();
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
		UnderWay first = begin(connections);
		send(connections);
		connections.close();
		assertThat(this.links).extracting((link) -> link.state).containsExactly(State.OPEN, State.CLOSED);
		assertThat(first.finish()).isNull();
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
		UnderWay other = begin(connections);
		FakeLink.beforeReply.set(() -> whileReading.set(() -> {
			this.nanoTime.incrementAndGet();
			assertThat(catchThrowable(other::finish)).isNull();
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
		openTwo(connections);
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

}
