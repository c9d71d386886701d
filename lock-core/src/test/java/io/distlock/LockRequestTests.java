package io.distlock;

import java.time.Duration;
import java.util.List;

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
			.withMessage("Wait time of lock 'stock:42' must not be negative, was -1s. Use 0 for a single attempt");
	}

	@Test
	void limitWaitThenTheShortestLimitCounts() {
		Duration second = Duration.ofSeconds(1);
		LockRequest.WaitLimit limit = new LockRequest.WaitLimit(second, "the limit");
		LockRequest limited = LockRequest.of("stock:42").limitWait(second, "the limit");
		assertThat(limited.waitTime()).isEmpty();
		assertThat(limited.waitLimit()).contains(limit);
		assertThat(limited.limitWait(Duration.ofDays(1), "longer").waitLimit()).contains(limit);
		assertThat(limited.limitWait(Duration.ZERO, "shorter").waitLimit())
			.contains(new LockRequest.WaitLimit(Duration.ZERO, "shorter"));
		assertThat(limited.leaseFor(second).maxWaiters(1).calledFrom("a").forKey("b").waitLimit()).contains(limit);
	}

	@Test
	void modeAndPermitsNeverOverrideEachOther() {
		LockRequest request = LockRequest.of("stock:42");
		String refusal = "Lock 'stock:42' cannot have both a mode (%s) and permits (3): a permit limits how many "
				+ "callers hold the key, a mode says whether they share it. Leave out one of the two";
		assertThatIllegalArgumentException().isThrownBy(() -> request.permits(3).mode(LockMode.SHARED))
			.withMessage(refusal, "SHARED");
		assertThatIllegalArgumentException().isThrownBy(() -> request.mode(LockMode.SHARED).permits(3))
			.withMessage(refusal, "SHARED");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockRequest.permit("stock:42", 3).mode(LockMode.EXCLUSIVE))
			.withMessage(refusal, "EXCLUSIVE");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> request.mode(LockMode.EXCLUSIVE).with(LockOptions.NONE.withPermits(3)))
			.withMessage(refusal, "EXCLUSIVE");
	}

	@Test
	void permitThenRequestForOneOfSoMany() {
		LockRequest request = LockRequest.permit("mail", 3);
		assertThat(request.permits()).hasValue(3);
		assertThat(request.mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(request.key()).isEqualTo("mail");
		assertThat(LockRequest.of("mail").permits()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.permit("mail", 0))
			.withMessageStartingWith("Permits of lock 'mail' must be between 1 and 1000000, was 0. Set it");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.permit(" ", 1));
	}

	@Test
	void withOptionsThenSetsThoseThatAreGiven() {
		LockRequest request = LockRequest.of("stock:42")
			.waitAtMost(Duration.ofSeconds(3))
			.onLost(OnLost.INTERRUPT)
			.with(LockOptions.NONE.withWaitTime(Duration.ZERO).withMaxWaiters(2));
		assertThat(request.options())
			.isEqualTo(LockOptions.NONE.withWaitTime(Duration.ZERO).withMaxWaiters(2).withOnLost(OnLost.INTERRUPT));
		assertThat(request.onLost(OnLost.DEFAULT).options().onLost()).isNull();
	}

	@Test
	void forKeyThenTheSameOptionsForAnotherLock() {
		LockRequest request = LockRequest.ofAll(List.of("b", "a")).mode(LockMode.SHARED).waitAtMost(Duration.ZERO);
		assertThat(request.forKey("c").keys()).containsExactly("c");
		assertThat(request.forKey("c").mode()).isEqualTo(LockMode.SHARED);
		assertThat(request.forKey("c").options()).isEqualTo(request.options());
		assertThatIllegalArgumentException().isThrownBy(() -> request.forKey(""));
	}

	@Test
	void limitWaitWhenNegativeThenRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockRequest.of("stock:42").limitWait(Duration.ofMillis(-1), "the limit"));
	}

	@Test
	void holdAtLeastWhenOutOfRangeThenRefused() {
		LockRequest request = LockRequest.of("stock:42");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofSeconds(-1)))
			.withMessage("Min hold of lock 'stock:42' must be between 0 and 11574d, was -1s. Set it to how far the "
					+ "clocks of the machines may be apart, for instance 30s, or leave it out");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofDays(100_000)))
			.withMessageStartingWith("Min hold of lock 'stock:42'");
	}

	@Test
	void leaseForWhenOutOfRangeThenRefused() {
		LockRequest request = LockRequest.of("stock:42");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseFor(Duration.ZERO))
			.withMessageStartingWith("Lease time of lock 'stock:42' must be between 100ms and 11574d, was 0s. Set it");
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
