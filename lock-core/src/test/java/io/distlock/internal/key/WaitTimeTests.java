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
		assertThat(WaitTime.of(this.limited, Duration.ofSeconds(5))).isEqualTo(new WaitTime(SECOND, "the limit"));
		assertThat(WaitTime.of(this.limited.waitAtMost(Duration.ofDays(1)), Duration.ZERO))
			.isEqualTo(new WaitTime(SECOND, "the limit"));
	}

	@Test
	void limitWhenNotShorterThenIsNoReason() {
		assertThat(WaitTime.of(this.limited, SECOND)).isEqualTo(new WaitTime(SECOND, null));
		assertThat(WaitTime.of(this.limited, Duration.ZERO)).isEqualTo(new WaitTime(Duration.ZERO, null));
	}

}
