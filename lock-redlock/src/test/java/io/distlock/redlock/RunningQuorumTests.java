package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class RunningQuorumTests {

	private static final int ROUNDS = 200;

	private final RunningQuorum requests = new RunningQuorum(
			new Quorum(List.of(), Duration.ofSeconds(1),
					new FirstConnections(List.of(), 1, Duration.ZERO, System::nanoTime), new ManualTimer()),
			RedlockSettings.DEFAULTS, () -> 0.5);

	/** Or else it would be finished under a number that no node knows. */
	@Test
	void requestWhenItIsBeingForgottenThenItIsTheOneThatIsFoundLater() throws Exception {
		List<RequestId> ids = LongStream.rangeClosed(1, 1000)
			.mapToObj((number) -> new RequestId("one", number))
			.toList();
		ExecutorService threads = Executors.newSingleThreadExecutor();
		try {
			for (int round = 0; round < ROUNDS; round++) {
				long over = 2L * round;
				ids.forEach((id) -> this.requests.request("stock", id, over));
				AtomicBoolean done = new AtomicBoolean();
				Future<?> forgetting = threads.submit(() -> {
					while (!done.get()) {
						this.requests.forget(over);
					}
				});
				List<QuorumRequest> got = ids.stream()
					.map((id) -> this.requests.request("stock", id, over + 1))
					.toList();
				done.set(true);
				forgetting.get(20, TimeUnit.SECONDS);
				for (int i = 0; i < ids.size(); i++) {
					assertThat(this.requests.find("stock", ids.get(i))).isSameAs(got.get(i));
				}
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** There was no memory for the next visit. */
	@Test
	void visitWhenTheNextOneCannotBePlannedThenItIsPlannedLater() {
		AtomicInteger failures = new AtomicInteger();
		AtomicInteger planned = new AtomicInteger();
		ManualTimer timer = new ManualTimer() {

			@Override
			public Runnable later(Duration delay, Runnable action) {
				if (failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					throw new OutOfMemoryError("of a test");
				}
				planned.incrementAndGet();
				return super.later(delay, action);
			}

		};
		Duration pause = RedlockSettings.DEFAULTS.nodeTimeout();
		new RunningQuorum(
				new Quorum(List.of(), Duration.ofSeconds(1),
						new FirstConnections(List.of(), 1, Duration.ZERO, System::nanoTime), timer),
				RedlockSettings.DEFAULTS, () -> 0.5);
		assertThat(planned).hasValue(1);
		failures.set(2);
		assertThatNoException().isThrownBy(() -> timer.pass(pause));
		assertThat(planned).hasValue(2);
		timer.pass(pause);
		assertThat(planned).hasValue(3);
	}

}
