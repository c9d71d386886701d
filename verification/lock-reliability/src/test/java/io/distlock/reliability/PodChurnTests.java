package io.distlock.reliability;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.reliability.rig.Figures;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerLocks;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Processes come and go by the thousand, and each leaves a tombstone. T40. */
class PodChurnTests {

	private static final LockRequest HOT = LockRequest.of("hot").waitAtMost(Duration.ofSeconds(60));

	/** More than a stall of the machine. */
	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/** The command timeout, and some more. */
	private static final Duration KEEP = TIMEOUT.plusSeconds(1);

	@Test
	void lockWhenThousandsOfProcessesUsedItThenForgetsThem() {
		Figures release = new Figures("T40 a new process for each acquisition", "release");
		WorkerOptions options = WorkerOptions.defaults()
			.with("client", "jedis")
			.with("lease", 3 * TIMEOUT.toMillis())
			.with("timeout", TIMEOUT.toMillis());
		try (RedisServer redis = RedisServer.start()) {
			RedisConnectionFactory factory = WorkerLocks.factory(options, redis.host(), redis.port());
			int pods = Pass.current().of(200, 5000);
			for (int i = 0; i < pods; i++) {
				try (CloseableLockTemplate pod = WorkerLocks.template(options, factory)) {
					use(pod, release);
				}
			}
			int most = fields(redis);
			Pause.of(KEEP);
			int uses = 0;
			try (CloseableLockTemplate last = WorkerLocks.template(options, factory)) {
				// One release in 64 looks for what is to be forgotten.
				for (; fields(redis) > 160 && uses < 2000; uses++) {
					use(last, release);
				}
			}
			release.report(pods + uses, pods, 0, most + " fields at the end, " + fields(redis) + " after keep, "
					+ redis.command("MEMORY", "USAGE", "lk:hot") + " bytes");
			// Each process wrote a field, so some were forgotten.
			assertThat(fields(redis)).isLessThanOrEqualTo(160).isLessThan(pods);
			WorkerLocks.close(factory);
		}
	}

	private static void use(CloseableLockTemplate pod, Figures release) {
		LockHandle lock = pod.acquire(HOT);
		long begun = System.nanoTime();
		lock.close();
		release.add(System.nanoTime() - begun);
	}

	private static int fields(RedisServer redis) {
		return Integer.parseInt(redis.command("HLEN", "lk:hot"));
	}

}
