package io.distlock.redis;

import java.time.Duration;

import io.distlock.redis.RedisLockStoreSettings.Replicas;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisLockStoreSettingsTests {

	private static RedisLockStoreSettings settings(String prefix, long poll, long claim, long waiterTtl, long keep) {
		return new RedisLockStoreSettings(prefix, Duration.ofMillis(poll), Duration.ofMillis(claim),
				Duration.ofMillis(waiterTtl), Duration.ofMillis(keep), Duration.ofSeconds(1));
	}

	@Test
	void constructorWhenClaimIsShorterThanTwoPollsThenRefused() {
		settings("lk:", 500, 1000, 1500, 2500);
		assertThatIllegalArgumentException().isThrownBy(() -> settings("lk:", 500, 999, 1500, 5000))
			.withMessage("Claim must be at least 1000 ms (twice the poll interval), was 999 ms");
	}

	@Test
	void constructorWhenWaiterTtlIsShorterThanThreePollsThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("lk:", 500, 1000, 1499, 5000))
			.withMessageContaining("Waiter ttl");
	}

	@Test
	void constructorWhenKeepIsTooShortThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> settings("lk:", 500, 1000, 1500, 2499))
			.withMessageContaining("Keep");
		assertThatIllegalArgumentException().isThrownBy(() -> settings("lk:", 10, 20, 30, 1099))
			.withMessageContaining("command timeout");
	}

	@Test
	void constructorWhenPrefixChoosesSlotThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisLockStoreSettings.DEFAULTS.withPrefix("{lk}:"));
		assertThatIllegalArgumentException().isThrownBy(() -> RedisLockStoreSettings.DEFAULTS.withPrefix(""));
	}

	@Test
	void constructorWhenQuarantineIsShorterThanClaimThenRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RedisLockStoreSettings.DEFAULTS.withQuarantine(Duration.ofMillis(1499)))
			.withMessageContaining("Quarantine");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RedisLockStoreSettings.DEFAULTS.withQuarantine(Duration.ofMillis(-1)));
	}

	@Test
	void constructorWhenReplicasAreOutOfRangeThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisLockStoreSettings.DEFAULTS.withReplicas(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> new Replicas(1, Duration.ZERO));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RedisLockStoreSettings.DEFAULTS.withReplicas(new Replicas(1, Duration.ofMillis(1001))))
			.withMessageContaining("replica timeout");
	}

	@Test
	void withersKeepReplicas() {
		RedisLockStoreSettings settings = RedisLockStoreSettings.DEFAULTS.withReplicas(2);
		assertThat(settings.withPrefix("other:").withQuarantine(Duration.ofSeconds(9)).replicas())
			.isEqualTo(new Replicas(2, Duration.ofMillis(500)));
		assertThat(
				settings.withPollInterval(Duration.ofMillis(10)).withCommandTimeout(Duration.ofMillis(10)).replicas())
			.isEqualTo(new Replicas(2, Duration.ofMillis(10)));
	}

	@Test
	void withersKeepQuarantine() {
		Duration quarantine = Duration.ofSeconds(30);
		assertThat(RedisLockStoreSettings.DEFAULTS.withQuarantine(quarantine)
			.withPrefix("other:")
			.withPollInterval(Duration.ofMillis(10))
			.withCommandTimeout(Duration.ofMillis(10))
			.quarantine()).isEqualTo(quarantine);
	}

	@Test
	void withersKeepRules() {
		RedisLockStoreSettings slow = RedisLockStoreSettings.DEFAULTS.withPollInterval(Duration.ofSeconds(2))
			.withCommandTimeout(Duration.ofMinutes(2));
		assertThat(slow.claim()).isEqualTo(Duration.ofSeconds(6));
		assertThat(slow.keep()).isGreaterThan(Duration.ofMinutes(2));
		assertThat(RedisLockStoreSettings.DEFAULTS.withPollInterval(Duration.ofMillis(10)).keep())
			.isEqualTo(Duration.ofMillis(1100));
	}

}
