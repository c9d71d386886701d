package io.distlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockRequestTests {

	@Test
	void ofWhenKeyNullOrBlankThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(null))
			.withMessage("Lock key must not be null: callers with different data would share one lock by accident");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("  "))
			.withMessage(
					"Lock key must not be blank, was '  ': callers with different data would share one lock by accident");
	}

	@Test
	void waitAtMostWhenNegativeThenRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockRequest.of("stock:42").waitAtMost(Duration.ofSeconds(-1)))
			.withMessage("Wait time of lock 'stock:42' must not be negative, was PT-1S: use 0 for a single attempt");
	}

	@Test
	void waitNoLongerThanWhenShorterThanWhatIsAskedForThenCounts() {
		Duration second = Duration.ofSeconds(1);
		LockRequest limited = LockRequest.of("stock:42").waitNoLongerThan(second, "the limit");
		assertThat(limited.waitTime()).isEmpty();
		assertThat(limited.waitTimeOr(Duration.ofSeconds(5))).isEqualTo(second);
		assertThat(limited.waitLimitedBy(Duration.ofSeconds(5))).contains("the limit");
		assertThat(limited.waitTimeOr(Duration.ZERO)).isZero();
		assertThat(limited.waitLimitedBy(Duration.ZERO)).isEmpty();
		assertThat(limited.waitLimitedBy(second)).isEmpty();
		assertThat(limited.waitAtMost(Duration.ofDays(1)).waitTimeOr(Duration.ZERO)).isEqualTo(second);
		assertThat(limited.waitNoLongerThan(Duration.ofDays(1), "longer").waitTimeOr(Duration.ofDays(2)))
			.isEqualTo(second);
		assertThat(limited.waitNoLongerThan(Duration.ZERO, "shorter").waitLimitedBy(second)).contains("shorter");
		assertThat(limited.leaseFor(second).maxWaiters(1).calledFrom("a").waitLimitedBy(Duration.ofSeconds(5)))
			.isPresent();
	}

	@Test
	void waitNoLongerThanWhenNegativeThenRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockRequest.of("stock:42").waitNoLongerThan(Duration.ofMillis(-1), "the limit"));
	}

	@Test
	void holdAtLeastWhenOutOfRangeThenRefused() {
		LockRequest request = LockRequest.of("stock:42");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofSeconds(-1)))
			.withMessage("Minimum hold of lock 'stock:42' must be between 0 and PT277777H46M40S, was PT-1S: write how "
					+ "far the clocks of the machines may be apart");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofDays(100_000)))
			.withMessageStartingWith("Minimum hold of lock 'stock:42'");
	}

	@Test
	void leaseForWhenOutOfRangeThenRefused() {
		LockRequest request = LockRequest.of("stock:42");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseFor(Duration.ZERO))
			.withMessage("Lease time of lock 'stock:42' must be between PT0.1S and PT277777H46M40S, was PT0S");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseFor(Duration.ofMillis(99)));
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseFor(Duration.ofDays(100_000)));
		assertThat(request.leaseFor(Duration.ofMillis(100)).leaseTime()).contains(Duration.ofMillis(100));
	}

	@Test
	void withersThenLeaveTheOriginalAlone() {
		LockRequest request = LockRequest.of("stock:42");
		LockRequest changed = request.waitAtMost(Duration.ofSeconds(3))
			.leaseFor(Duration.ofMillis(1500))
			.calledFrom("Shop.sell");
		assertThat(request.waitTime()).isEmpty();
		assertThat(request.leaseTime()).isEmpty();
		assertThat(changed.caller()).isEqualTo("Shop.sell");
		assertThat(changed).hasToString("LockRequest[stock:42, wait 3s, lease 1500ms]");
		assertThat(request).hasToString("LockRequest[stock:42, wait default, lease renewed]");
	}

}
