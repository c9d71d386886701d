package io.distlock.redis;

import java.time.Duration;

import io.distlock.redis.RedisLockStoreSettings.Builder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisLockStoreSettingsTests {

	private static Builder settings() {
		return RedisLockStoreSettings.builder();
	}

	private static Builder settings(long poll, long waiterTtl, long keep) {
		return settings().pollInterval(Duration.ofMillis(poll))
			.waiterTtl(Duration.ofMillis(waiterTtl))
			.keep(Duration.ofMillis(keep));
	}

	@Test
	void buildWhenNothingIsSetThenDefaults() {
		RedisLockStoreSettings defaults = settings().build();
		assertThat(defaults).isEqualTo(RedisLockStoreSettings.DEFAULTS)
			.hasSameHashCodeAs(RedisLockStoreSettings.DEFAULTS)
			.isNotEqualTo(settings().keyPrefix("other:").build());
		assertThat(defaults.keyPrefix()).isEqualTo("lk:");
		assertThat(defaults.pollInterval()).hasMillis(500);
		assertThat(defaults.waiterTtl()).hasSeconds(2);
		assertThat(defaults.keep()).hasSeconds(10);
		assertThat(defaults.commandTimeout()).hasSeconds(1);
		assertThat(defaults.quarantine()).isZero();
		assertThat(defaults.toString()).contains("keyPrefix=lk:", "commandTimeout=PT1S");
	}

	@Test
	void buildWhenWaiterTtlIsShorterThanThreePollsThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(settings(500, 1499, 5000)::build)
			.withMessageContaining("Waiter ttl");
	}

	@Test
	void buildWhenKeepIsTooShortThenRefused() {
		settings(500, 1500, 3000).build();
		assertThatIllegalArgumentException().isThrownBy(settings(500, 1500, 2999)::build)
			.withMessage("Keep must be at least 3s (waiter ttl and three times the poll interval together), "
					+ "was 2999ms");
		assertThatIllegalArgumentException().isThrownBy(settings(10, 30, 1099)::build)
			.withMessageContaining("command timeout");
	}

	@Test
	void buildWhenPrefixChoosesSlotThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(settings().keyPrefix("{lk}:")::build);
		assertThatIllegalArgumentException().isThrownBy(settings().keyPrefix("")::build);
	}

	@Test
	void buildWhenTimesAreNotPositiveThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(settings().pollInterval(Duration.ZERO)::build)
			.withMessage("Poll interval must be at least 1ms (the resolution), was 0s");
		assertThatIllegalArgumentException().isThrownBy(settings().commandTimeout(Duration.ofMillis(-1))::build)
			.withMessage("Command timeout must be at least 1ms (the resolution), was -1ms");
	}

	@Test
	void buildWhenQuarantineIsNegativeThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(settings().quarantine(Duration.ofMillis(-1))::build)
			.withMessage("Quarantine must not be negative, was -1ms");
	}

	@Test
	void buildWhenCallsAreInAnotherOrderThenTheSame() {
		Duration quarantine = Duration.ofSeconds(30);
		Duration interval = Duration.ofMillis(10);
		Duration timeout = Duration.ofSeconds(3);
		assertThat(settings().quarantine(quarantine).pollInterval(interval).commandTimeout(timeout).build())
			.isEqualTo(settings().commandTimeout(timeout).pollInterval(interval).quarantine(quarantine).build());
	}

	@Test
	void timesWhenNotSetThenFollowPollIntervalAndCommandTimeout() {
		RedisLockStoreSettings slow = settings().commandTimeout(Duration.ofMinutes(2))
			.pollInterval(Duration.ofSeconds(2))
			.build();
		assertThat(slow.waiterTtl()).hasSeconds(8);
		assertThat(slow.keep()).isGreaterThan(Duration.ofMinutes(2));
		assertThat(settings().pollInterval(Duration.ofMillis(10)).build().keep()).hasMillis(1100);
	}

}
