package io.distlock.benchmark.scenario;

import java.time.Duration;

import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.measure.RedisProbe;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Peer;
import io.distlock.benchmark.peer.RedisAddress;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** That a lock which does not exclude is found out. */
class OneProcessTests {

	@Test
	void measureWhenLockDoesNotExcludeThenFails() {
		assertThatIllegalStateException().isThrownBy(() -> measure(new Unlocked(), "1"))
			.withMessageContaining("but the guarded counter says");
	}

	@Test
	void measureWhenLockThrowsThenFails() {
		assertThatIllegalStateException().isThrownBy(() -> measure(new Broken(), "0.05"))
			.withMessageContaining("out of order");
	}

	private static void measure(Peer peer, String seconds) {
		try (RedisServer server = RedisServer.start()) {
			RedisAddress redis = new RedisAddress(server.host(), server.port());
			try (RedisProbe probe = new RedisProbe(redis)) {
				Options options = Options.DEFAULTS.with("seconds", seconds);
				Bench bench = new Bench(options, redis, probe, (sample) -> {
				}, new Failures((failure) -> {
				}));
				Load load = Load.contended(8, Duration.ofMillis(1));
				new OneProcess(bench, "test", load).measure(Implementation.REENTRANT_LOCK, 1, peer);
			}
		}
	}

	/** Lets everybody in. */
	private static final class Unlocked implements Peer {

		@Override
		public Held acquire(String key) {
			return () -> {
			};
		}

		@Override
		public void close() {
		}

	}

	/** Lets nobody in. */
	private static final class Broken implements Peer {

		@Override
		public Held acquire(String key) {
			throw new IllegalArgumentException("out of order");
		}

		@Override
		public void close() {
		}

	}

}
