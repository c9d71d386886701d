package io.distlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockSettingsTests {

	@Test
	void createWhenOutOfRangeThenRefusedNamingTheValue() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockSettings.DEFAULTS.withWaitTime(Duration.ofMillis(-1)))
			.withMessage("Wait time must not be negative, was PT-0.001S: use 0 for a single attempt");
		assertThatIllegalArgumentException().isThrownBy(() -> LockSettings.DEFAULTS.withLeaseTime(Duration.ZERO))
			.withMessage("Lease time must be between PT0.1S and PT277777H46M40S, was PT0S");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockSettings.DEFAULTS.withCommandTimeout(Duration.ofSeconds(11)))
			.withMessage(
					"Command timeout must be more than 0 and at most a third of the lease time (PT30S), was PT11S");
	}

	@Test
	void withLeaseTimeWhenShortThenCommandTimeoutFollows() {
		assertThat(LockSettings.DEFAULTS.withLeaseTime(Duration.ofMillis(600)).commandTimeout())
			.isEqualTo(Duration.ofMillis(200));
		assertThat(LockSettings.DEFAULTS.withLeaseTime(Duration.ofMinutes(1)).commandTimeout())
			.isEqualTo(Duration.ofSeconds(1));
	}

}
