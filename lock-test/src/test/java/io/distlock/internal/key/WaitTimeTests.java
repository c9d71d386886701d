package io.distlock.internal.key;

import java.time.Duration;
import java.util.List;

import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.hold.AcquireOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WaitTimeTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final LockRequest limited = LockRequest.of("stock:42").limitWait(SECOND, "the limit");

	@Test
	void limitWhenShorterThanWhatIsAskedForThenCounts() {
		assertThat(AcquireOptions.WaitTime.of(this.limited, settings(Duration.ofSeconds(5))))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, "the limit"));
		assertThat(AcquireOptions.WaitTime.of(this.limited.waitAtMost(Duration.ofDays(1)), settings(Duration.ZERO)))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, "the limit"));
	}

	@Test
	void limitWhenNotShorterThenIsNoReason() {
		assertThat(AcquireOptions.WaitTime.of(this.limited, settings(SECOND)))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, null));
		assertThat(AcquireOptions.WaitTime.of(this.limited, settings(Duration.ZERO)))
			.isEqualTo(new AcquireOptions.WaitTime(Duration.ZERO, null));
	}

	@Test
	void limitOfSettingsWhenShortestThenCountsForEveryRequest() {
		LockSettings settings = LockSettings.builder().limitWait(Duration.ofMillis(200), "the test").build();
		AcquireOptions.WaitTime expected = new AcquireOptions.WaitTime(Duration.ofMillis(200), "the test");
		for (LockRequest request : List.of(this.limited, LockRequest.of("stock:42"),
				LockRequest.of("stock:42").waitAtMost(Duration.ofDays(1)))) {
			assertThat(AcquireOptions.WaitTime.of(request, settings)).isEqualTo(expected);
		}
		assertThat(AcquireOptions.WaitTime.of(LockRequest.of("stock:42").waitAtMost(Duration.ZERO), settings))
			.isEqualTo(new AcquireOptions.WaitTime(Duration.ZERO, null));
	}

	@Test
	void limitOfRequestWhenShorterThanThatOfSettingsThenCounts() {
		LockSettings settings = LockSettings.builder().limitWait(Duration.ofSeconds(2), "the test").build();
		assertThat(AcquireOptions.WaitTime.of(this.limited, settings))
			.isEqualTo(new AcquireOptions.WaitTime(SECOND, "the limit"));
	}

	private static LockSettings settings(Duration waitTime) {
		return LockSettings.builder().waitTime(waitTime).build();
	}

}
