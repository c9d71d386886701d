package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReconnectingTests {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final ReentrantLock monitor = new ReentrantLock();

	/** Attempts that have not ended yet, the oldest first. */
	private final Deque<CompletableFuture<String>> attempts = new ArrayDeque<>();

	private final List<String> events = new ArrayList<>();

	private boolean rejecting;

	private long now;

	private final Reconnecting<String> connection = new Reconnecting<>(this.monitor, new Source(), (task) -> {
		if (this.rejecting) {
			throw new RejectedExecutionException("stopped");
		}
		task.run();
	}, () -> LONGEST, PAUSE, () -> this.now);

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	private CompletableFuture<String> attempt() {
		this.connection.connect().run();
		return this.attempts.removeLast();
	}

	private void refuse() {
		attempt().completeExceptionally(new IllegalStateException("refused"));
	}

	@Test
	void connectWhenAttemptSucceedsThenConnectionIsPreparedUnderTheMonitorBeforeItIsCurrent() {
		assertThat(this.connection.current()).isNull();
		attempt().complete("one");
		assertThat(this.connection.current()).isEqualTo("one");
		assertThat(this.events).containsExactly("opened one, current null", "after one");
		this.connection.connect().run();
		assertThat(this.attempts).isEmpty();
	}

	@Test
	void connectWhenAttemptIsRunningThenNoOtherOneBeginsBeforeItHangs() {
		this.connection.connect().run();
		pass(LONGEST.minusNanos(1));
		this.connection.connect().run();
		assertThat(this.attempts).hasSize(1);
		pass(Duration.ofNanos(1));
		this.connection.connect().run();
		assertThat(this.attempts).hasSize(2);
	}

	@Test
	void connectWhenHungAttemptOpensWhileAnotherOneHangsThenItsConnectionIsUsed() {
		CompletableFuture<String> hung = attempt();
		pass(LONGEST);
		CompletableFuture<String> second = attempt();
		hung.complete("late");
		assertThat(this.connection.current()).isEqualTo("late");
		second.complete("two");
		assertThat(this.connection.current()).isEqualTo("late");
		assertThat(this.events).containsExactly("opened late, current null", "after late", "close two");
	}

	@Test
	void connectWhenHungAttemptOpensAfterAnotherOneFailedThenItsConnectionIsUsed() {
		CompletableFuture<String> hung = attempt();
		pass(LONGEST);
		refuse();
		hung.complete("late");
		assertThat(this.connection.current()).isEqualTo("late");
	}

	@Test
	void connectWhenEachConnectionOpensLaterThanAnAttemptMayTakeThenTheFirstOneStays() {
		List<CompletableFuture<String>> hung = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			hung.add(attempt());
			pass(LONGEST);
		}
		for (int i = 0; i < 3; i++) {
			hung.get(i).complete("connection " + i);
			assertThat(this.connection.current()).isEqualTo("connection 0");
		}
		assertThat(this.events).endsWith("close connection 1", "close connection 2");
	}

	@Test
	void startOverThenWhatBeganBeforeIsClosedAlsoWhileAnotherAttemptRuns() {
		CompletableFuture<String> first = attempt();
		pass(LONGEST);
		CompletableFuture<String> second = attempt();
		this.connection.startOver();
		CompletableFuture<String> third = attempt();
		first.complete("one");
		second.complete("two");
		assertThat(this.connection.current()).isNull();
		assertThat(this.events).containsExactly("close one", "close two");
		third.complete("three");
		assertThat(this.connection.current()).isEqualTo("three");
	}

	@Test
	void forgetThenWhatBeganBeforeIsClosed() {
		CompletableFuture<String> first = attempt();
		pass(LONGEST);
		attempt().complete("two");
		this.connection.forget("two");
		first.complete("one");
		assertThat(this.connection.current()).isNull();
		assertThat(this.events).endsWith("close one");
	}

	@Test
	void connectWhenHungAttemptFailsLateThenTheRunningOneStillCounts() {
		CompletableFuture<String> hung = attempt();
		pass(LONGEST);
		CompletableFuture<String> second = attempt();
		hung.completeExceptionally(new IllegalStateException("late"));
		assertThat(this.events).isEmpty();
		this.connection.connect().run();
		assertThat(this.attempts).isEmpty();
		second.complete("two");
		assertThat(this.connection.current()).isEqualTo("two");
	}

	@Test
	void connectWhenAttemptFailedThenPauses() {
		refuse();
		assertThat(this.events).containsExactly("failed refused", "after refused");
		assertThat(this.connection.recentFailure()).hasMessage("refused");
		pass(PAUSE.minusNanos(1));
		this.connection.connect().run();
		assertThat(this.attempts).isEmpty();
		pass(Duration.ofNanos(1));
		assertThat(this.connection.recentFailure()).isNull();
		attempt().complete("one");
		assertThat(this.connection.current()).isEqualTo("one");
	}

	@Test
	void forgetWhenCurrentThenNextAttemptBeginsAtOnce() {
		attempt().complete("one");
		assertThat(this.connection.forget("other")).isFalse();
		assertThat(this.connection.current()).isEqualTo("one");
		assertThat(this.connection.forget("one")).isTrue();
		assertThat(this.connection.current()).isNull();
		attempt().complete("two");
		assertThat(this.connection.current()).isEqualTo("two");
	}

	@Test
	void closeWhenConnectedThenClosesAndConnectsNoMore() {
		attempt().complete("one");
		assertThat(this.connection.close()).isCompleted();
		assertThat(this.events).endsWith("close one");
		assertThat(this.connection.isClosed()).isTrue();
		this.connection.connect().run();
		assertThat(this.attempts).isEmpty();
	}

	@Test
	void closeWhenAttemptIsRunningThenItsConnectionIsClosed() {
		CompletableFuture<String> running = attempt();
		this.connection.close();
		running.complete("late");
		assertThat(this.connection.current()).isNull();
		assertThat(this.events).containsExactly("close late");
	}

	@Test
	void connectWhenConnectorRefusesThenAttemptFailed() {
		this.rejecting = true;
		this.connection.connect().run();
		assertThat(this.events).containsExactly("failed stopped", "after stopped");
		this.rejecting = false;
		pass(PAUSE);
		attempt().complete("one");
		assertThat(this.connection.current()).isEqualTo("one");
	}

	/** Commands that wait for a connection ask for one under the monitor. */
	@Test
	void connectUnderTheMonitorWhenConnectorRefusesThenEndsWhatWaitsOutsideOfIt() {
		this.rejecting = true;
		Runnable after;
		this.monitor.lock();
		try {
			after = this.connection.connect();
			assertThat(this.events).isEmpty();
		}
		finally {
			this.monitor.unlock();
		}
		after.run();
		assertThat(this.events).containsExactly("failed stopped", "after stopped");
	}

	@Test
	void whateverFailsAtRandomThenTheNextAttemptsSucceedAndNoConnectionIsLeft() {
		for (long seed = 1; seed <= 500; seed++) {
			FailingSource source = new FailingSource(new Random(seed));
			Reconnecting<String> failing = new Reconnecting<>(this.monitor, source, (task) -> {
				source.perhapsFail();
				task.run();
			}, () -> LONGEST, PAUSE, () -> this.now);
			for (int i = 0; i < 20; i++) {
				try {
					failing.connect().run();
				}
				catch (OutOfMemoryError ex) {
					// From what is left to do without the monitor.
				}
				assertThat(this.monitor.isHeldByCurrentThread()).isFalse();
				String opened = failing.current();
				if (opened != null && source.random.nextBoolean() && failing.forget(opened)) {
					source.open.remove(opened);
				}
				pass(PAUSE);
			}
			source.harmless = true;
			failing.connect().run();
			assertThat(failing.current()).as("seed " + seed).isNotNull();
			assertThat(source.open).as("seed " + seed).containsExactly(failing.current());
		}
	}

	/** Throws errors wherever it is called. */
	private static final class FailingSource implements Reconnecting.Source<String> {

		private final Random random;

		private final List<String> open = new ArrayList<>();

		private int count;

		private boolean harmless;

		private FailingSource(Random random) {
			this.random = random;
		}

		private void perhapsFail() {
			if (!this.harmless && this.random.nextInt(3) == 0) {
				throw new OutOfMemoryError("at random");
			}
		}

		@Override
		public CompletionStage<String> open() {
			perhapsFail();
			if (!this.harmless && this.random.nextInt(3) == 0) {
				return CompletableFuture.failedFuture(new IllegalStateException("refused"));
			}
			String opened = "connection " + this.count++;
			this.open.add(opened);
			return CompletableFuture.completedFuture(opened);
		}

		@Override
		public CompletionStage<Void> close(String unwanted) {
			this.open.remove(unwanted);
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public Runnable opened(String opened) {
			perhapsFail();
			return this::perhapsFail;
		}

		@Override
		public Runnable failed(Throwable failure) {
			perhapsFail();
			return this::perhapsFail;
		}

	}

	private final class Source implements Reconnecting.Source<String> {

		@Override
		public CompletionStage<String> open() {
			CompletableFuture<String> attempt = new CompletableFuture<>();
			ReconnectingTests.this.attempts.add(attempt);
			return attempt;
		}

		@Override
		public CompletionStage<Void> close(String unwanted) {
			assertThat(ReconnectingTests.this.monitor.isHeldByCurrentThread()).isFalse();
			ReconnectingTests.this.events.add("close " + unwanted);
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public Runnable opened(String opened) {
			return event("opened " + opened + ", current " + ReconnectingTests.this.connection.current(), opened);
		}

		@Override
		public Runnable failed(Throwable failure) {
			return event("failed " + failure.getMessage(), failure.getMessage());
		}

		private Runnable event(String event, String subject) {
			assertThat(ReconnectingTests.this.monitor.isHeldByCurrentThread()).isTrue();
			ReconnectingTests.this.events.add(event);
			return () -> {
				assertThat(ReconnectingTests.this.monitor.isHeldByCurrentThread()).isFalse();
				ReconnectingTests.this.events.add("after " + subject);
			};
		}

	}

}
