package io.distlock.redis.client;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import io.distlock.redis.client.FakeLink.State;
import io.distlock.redis.client.KeptConnections.Link;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/** A resolver that hangs, without one. */
@Timeout(60)
class BoundedOpeningTests {

	private static final Duration SHORT = Duration.ofMillis(20);

	private static final Duration LONG = Duration.ofSeconds(30);

	private final FakeLink link = new FakeLink();

	private final CountDownLatch resolved = new CountDownLatch(1);

	private final Queue<Duration> begun = new ConcurrentLinkedQueue<>();

	private final BoundedOpening opening = new BoundedOpening(this::hang, Duration.ZERO, 1);

	private Link hang(Duration connectWithin) {
		this.begun.add(connectWithin);
		KeptConnectionsTests.awaitEnd(this.resolved);
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
		assertThat(this.link.state).isEqualTo(State.OPEN);
	}

	@Test
	void openWhenTheLookupHangsThenFailsInTimeAndALateConnectionIsClosed() {
		failsInTimeWhileOneHangs();
		assertThat(this.link.state).isEqualTo(State.OPEN);
		this.resolved.countDown();
		await().until(() -> this.link.state == State.CLOSED);
		assertThat(this.link.misused).isFalse();
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
		await().until(() -> this.link.state == State.CLOSED);
	}

	@Test
	void openWhenRefusedThenThrowsWhatTheClientThrew() {
		BoundedOpening refused = new BoundedOpening((connectWithin) -> {
			throw (connectWithin == LONG) ? new IllegalStateException("refused") : new IllegalArgumentException("name");
		}, Duration.ZERO, 1);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> refused.open(LONG))
			.withMessage("refused");
		BoundedOpening failed = new BoundedOpening((connectWithin) -> {
			throw KeptConnectionsTests.NO_MEMORY;
		}, Duration.ZERO, 1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> failed.open(LONG));
		refused.close();
		failed.close();
	}

}
