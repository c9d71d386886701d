package io.distlock.redis.pooled;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.distlock.spi.TransientStoreException;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/** A resolver that hangs, without one. */
@Timeout(60)
class BoundedOpeningTests {

	private static final Duration SHORT = Duration.ofMillis(20);

	private static final Duration LONG = Duration.ofSeconds(30);

	/** Stands for the connection. */
	private final Object link = new Object();

	private final Queue<Object> closed = new ConcurrentLinkedQueue<>();

	private final CountDownLatch resolved = new CountDownLatch(1);

	private final Queue<Duration> begun = new ConcurrentLinkedQueue<>();

	private final BoundedOpening<Object> opening = new BoundedOpening<>(this::hang, this.closed::add, Duration.ZERO, 1);

	private Object hang(Duration connectWithin) {
		this.begun.add(connectWithin);
		try {
			this.resolved.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return this.link;
	}

	@AfterEach
	void close() {
		this.resolved.countDown();
		this.opening.close();
	}

	private void failsInTime() {
		assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> this.opening.open(SHORT))
			.withMessageStartingWith("Looking up the name of Redis");
	}

	/** A thread may begin too late to open anything. */
	private void failsInTimeWhileOneHangs() {
		await().until(() -> {
			failsInTime();
			return !this.begun.isEmpty();
		});
	}

	@Test
	void openWhenReadyInTimeThenOpen() {
		this.resolved.countDown();
		assertThat(this.opening.open(LONG)).isSameAs(this.link);
		assertThat(this.begun).containsExactly(LONG);
		assertThat(this.closed).isEmpty();
	}

	@Test
	void openWhenTheLookupHangsThenFailsInTimeAndALateConnectionIsClosed() {
		failsInTimeWhileOneHangs();
		assertThat(this.closed).isEmpty();
		this.resolved.countDown();
		await().untilAsserted(() -> assertThat(this.closed).containsExactly(this.link));
	}

	@Test
	void openWhenClosedThenSaysSo() {
		this.opening.close();
		assertThatExceptionOfType(TransientStoreException.class).isThrownBy(() -> this.opening.open(LONG))
			.withMessage("The connections to Redis are closed");
		assertThat(this.begun).isEmpty();
	}

	@Test
	void openWhenAllThreadsHangThenFailsInTimeAndConnectsToNothingLater() {
		failsInTimeWhileOneHangs();
		failsInTime();
		this.resolved.countDown();
		assertThat(this.opening.open(LONG)).isSameAs(this.link);
		assertThat(this.begun).as("the one that hung, and the last one").containsExactly(SHORT, LONG);
	}

	@Test
	void openWhenInterruptedThenFailsWithTheInterruptAndALateConnectionIsClosed() throws Exception {
		FutureTask<Throwable> opener = TestThreads.inThread(() -> {
			Thread.currentThread().interrupt();
			return catchThrowable(() -> this.opening.open(LONG));
		});
		assertThat(TestThreads.get(opener)).isInstanceOf(TransientStoreException.class)
			.hasCauseInstanceOf(InterruptedException.class);
		await().until(() -> !this.begun.isEmpty());
		this.resolved.countDown();
		await().untilAsserted(() -> assertThat(this.closed).containsExactly(this.link));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void openWhenTheClientFailsThenThrowsWhatItThrew(Throwable failure) {
		BoundedOpening<Object> failing = new BoundedOpening<>((connectWithin) -> {
			if (failure instanceof Error error) {
				throw error;
			}
			throw (RuntimeException) failure;
		}, this.closed::add, Duration.ZERO, 1);
		try (failing) {
			assertThat(catchThrowable(() -> failing.open(LONG))).isSameAs(failure);
		}
	}

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("refused"), new NoClassDefFoundError("a test"));
	}

}
