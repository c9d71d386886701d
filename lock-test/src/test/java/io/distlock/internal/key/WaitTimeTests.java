package io.distlock.internal.key;

import java.time.Duration;

import io.distlock.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WaitTimeTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final LockRequest limited = LockRequest.of("stock:42").limitWait(SECOND, "the limit");

	@Test
	void limitWhenShorterThanWhatIsAskedForThenCounts() {
		assertThat(AcquireOptions.WaitTime.of(this.limited, Duration.ofSeconds(5)))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, "the limit"));
		assertThat(AcquireOptions.WaitTime.of(this.limited.waitAtMost(Duration.ofDays(1)), Duration.ZERO))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, "the limit"));
	}

	@Test
	void limitWhenNotShorterThenIsNoReason() {
		assertThat(AcquireOptions.WaitTime.of(this.limited, SECOND))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, null));
		assertThat(AcquireOptions.WaitTime.of(this.limited, Duration.ZERO))
			.isEqualTo(new AcquireOptions.WaitTime(Duration.ZERO, null));
	}

}
