package io.distlock.redis.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Why a call is not made. */
class RedisWorkersTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	@Test
	void submitWhenTooManyWaitThenSaysSo() {
		RedisWorkers workers = new RedisWorkers(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		workers.submit(LONG, "late", () -> {
			mayEnd.await();
			return "hung";
		});
		CompletableFuture<String> last = null;
		for (int i = 0; i <= RedisWorkers.MAX_WAITING; i++) {
			last = workers.submit(LONG, "late", () -> "waited");
		}
		assertThat(catchThrowable(last::join)).hasCauseInstanceOf(TransientStoreException.class)
			.hasMessageContaining("Too many commands wait");
		mayEnd.countDown();
		workers.shutdown();
	}

	@Test
	void submitWhenShutDownThenSaysSo() {
		RedisWorkers workers = new RedisWorkers(1);
		workers.shutdown();
		assertThat(catchThrowable(() -> workers.submit(LONG, "late", () -> "run").join()))
			.hasCauseInstanceOf(TransientStoreException.class)
			.hasMessageContaining("The connections to Redis are closed");
	}

}
