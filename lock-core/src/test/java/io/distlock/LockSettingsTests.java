package io.distlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockSettingsTests {

	@Test
	void buildWhenOutOfRangeThenRefusedNamingTheValue() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockSettings.builder().waitTime(Duration.ofMillis(-1)).build())
			.withMessage("Wait time must not be negative, was -1ms. Use 0 for a single attempt");
		assertThatIllegalArgumentException().isThrownBy(() -> LockSettings.builder().leaseTime(Duration.ZERO).build())
			.withMessage("Lease time must be between 100ms and 11574d, was 0s. Set it to how long the lock may "
					+ "outlive a process that died, for instance 30s, or leave it out");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockSettings.builder().commandTimeout(Duration.ofSeconds(11)).build())
			.withMessage("Command timeout must be more than 0 and at most a third of the lease time (30s), was 11s");
		assertThatIllegalArgumentException().isThrownBy(() -> LockSettings.builder().maxWaiters(0).build())
			.withMessageStartingWith("Max waiters must be at least 1, was 0");
		assertThatIllegalArgumentException().isThrownBy(() -> LockSettings.builder().maxHold(Duration.ZERO).build())
			.withMessageStartingWith("Max hold must be more than 0, was 0s");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockSettings.builder().limitWait(Duration.ofMillis(-1), "the test"))
			.withMessage("Wait time must not be negative, was -1ms. Use 0 for a single attempt");
	}

	@Test
	void leaseTimeWhenShortThenCommandTimeoutFollows() {
		assertThat(LockSettings.builder().leaseTime(Duration.ofMillis(600)).build().commandTimeout())
			.isEqualTo(Duration.ofMillis(200));
		assertThat(LockSettings.builder().leaseTime(Duration.ofMinutes(1)).build().commandTimeout())
			.isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void buildThenEqualsSettingsWithTheSameValues() {
		LockSettings.Builder builder = LockSettings.builder().application("shop").host("pod-7");
		assertThat(builder.build()).isEqualTo(builder.build())
			.hasSameHashCodeAs(builder.build())
			.isNotEqualTo(LockSettings.DEFAULTS);
		builder.limitWait(Duration.ofSeconds(1), "the test");
		assertThat(builder.build()).isEqualTo(builder.build())
			.isNotEqualTo(LockSettings.builder().application("shop").host("pod-7").build());
		assertThat(LockSettings.builder().onLost(OnLost.DEFAULT).build()).isEqualTo(LockSettings.DEFAULTS);
	}

}
