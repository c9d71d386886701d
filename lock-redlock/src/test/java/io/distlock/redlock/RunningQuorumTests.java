package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
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

}
