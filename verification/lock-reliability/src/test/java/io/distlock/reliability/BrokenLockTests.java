package io.distlock.reliability;

import java.time.Duration;

import io.distlock.output.Mutants;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The rig finds what is wrong with locks that are wrong. */
@Mutants
class BrokenLockTests {

	private static final Duration LEASE = Duration.ofMillis(400);

	private final WorkerOptions options = WorkerOptions.defaults()
		.with("client", "jedis")
		.with("lease", LEASE.toMillis())
		.with("threads", 1);

	@Test
	void verdictWhenEverybodyIsLetInThenFindsOverlaps() {
		try (RedisServer redis = RedisServer.start(); Cast cast = new Cast(redis.host(), redis.port())) {
			cast.play(1, Duration.ofMillis(5), Duration.ZERO);
			cast.add(this.options.with("lock", "none").with("threads", 3));
			cast.awaitSections(30);
			assertThat(cast.end().overlaps()).hasSizeGreaterThan(10);
		}
	}

	@Test
	void verdictWhenReleaseDoesNotAskWhoseLockItIsThenFindsOverlaps() {
		try (RedisServer redis = RedisServer.start(); Cast cast = new Cast(redis.host(), redis.port())) {
			WorkerOptions naive = this.options.with("lock", "naive");
			Member victim = cast.add(naive);
			cast.add(naive.with("threads", 2));
			int key = cast.play(1, Duration.ofMillis(20), Duration.ZERO);
			cast.awaitReady();
			for (int i = 0; i < 20 && Checker.judge(cast.history()).overlaps().isEmpty(); i++) {
				cast.await(() -> cast.awaitOccupant(key) == victim);
				victim.freeze();
				Pause.of(LEASE.plusMillis(100));
				victim.thaw();
				cast.awaitSections(5);
			}
			assertThat(cast.end().overlaps()).isNotEmpty();
		}
	}

}
