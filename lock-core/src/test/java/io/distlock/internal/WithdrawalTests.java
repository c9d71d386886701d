package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is ended in the store, how long that is tried, and what its answer proves. */
class WithdrawalTests {

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final List<String> told = new ArrayList<>();

	private Withdrawal withdrawal(long number, long pointlessAt, boolean awaited) {
		return new Withdrawal(new RequestId("one", number), pointlessAt, new Ending() {

			@Override
			public void confirmed(FinishResult result, boolean conclusive) {
				WithdrawalTests.this.told.add(result + " " + conclusive);
			}

			@Override
			public void abandoned() {
				WithdrawalTests.this.told.add("abandoned");
			}

			@Override
			public boolean awaited() {
				return awaited;
			}

		}, new Backoff(() -> 0.5));
	}

	@Test
	void confirmedThenToldOnceAndConclusive() {
		Withdrawal withdrawal = withdrawal(1, NOW, true);
		withdrawal.confirmed(FinishResult.RELEASED).run();
		withdrawal.confirmed(FinishResult.RELEASED).run();
		assertThat(this.told).containsExactly("RELEASED true");
	}

	@Test
	void confirmedAfterAbandonedThenNotTold() {
		Withdrawal withdrawal = withdrawal(1, NOW, true);
		withdrawal.abandoned().run();
		withdrawal.confirmed(FinishResult.RELEASED).run();
		assertThat(this.told).containsExactly("abandoned");
	}

	@Test
	void confirmedAfterAFailureOrANewerRequestThenProvesNothing() {
		Withdrawal failed = withdrawal(1, NOW, true);
		failed.failed(NOW);
		failed.confirmed(FinishResult.UNKNOWN).run();
		Withdrawal superseded = withdrawal(2, NOW, true);
		superseded.supersede();
		superseded.confirmed(FinishResult.UNKNOWN).run();
		assertThat(this.told).containsExactly("UNKNOWN false", "UNKNOWN false");
	}

	@Test
	void sentThenRepeatedAfterTheTimeoutUntilPointless() {
		Withdrawal withdrawal = withdrawal(1, NOW + 2 * SECOND, true);
		withdrawal.sent(NOW, SECOND);
		assertThat(withdrawal.sendDue(NOW + SECOND - 1)).isFalse();
		assertThat(withdrawal.sendDue(NOW + SECOND)).isTrue();
		assertThat(withdrawal.due()).isEqualTo(NOW + SECOND);
		assertThat(withdrawal.pointless(NOW + 2 * SECOND - 1)).isFalse();
		assertThat(withdrawal.pointless(NOW + 2 * SECOND)).isTrue();
		withdrawal.sent(NOW + SECOND, 5 * SECOND);
		assertThat(withdrawal.due()).isEqualTo(NOW + 2 * SECOND);
	}

	@Test
	void failedThenRepeatedSoon() {
		Withdrawal withdrawal = withdrawal(1, NOW + SECOND, true);
		withdrawal.failed(NOW);
		assertThat(withdrawal.due() - NOW).isBetween(SECOND / 200, SECOND / 100);
	}

	@Test
	void replacedByANewerOneThatTakesOverItsTime() {
		Withdrawal newer = withdrawal(2, NOW, false);
		assertThat(withdrawal(1, NOW + SECOND, false).replacedBy(newer)).isTrue();
		assertThat(newer.pointless(NOW + SECOND - 1)).isFalse();
		assertThat(withdrawal(1, NOW, false).replacedBy(newer)).isTrue();
		assertThat(newer.pointless(NOW + SECOND - 1)).isFalse();
		assertThat(withdrawal(2, NOW, false).replacedBy(newer)).isFalse();
	}

	@Test
	void replacedByWhenSomebodyAwaitsItOrItIsNewerThenNotAndNothingIsTakenOver() {
		Withdrawal newer = withdrawal(2, NOW, false);
		assertThat(withdrawal(1, NOW + SECOND, true).replacedBy(newer)).isFalse();
		assertThat(withdrawal(3, NOW + SECOND, false).replacedBy(newer)).isFalse();
		assertThat(newer.pointless(NOW)).isTrue();
	}

	@Test
	void nanosOfALeaseThenOfWholeMilliseconds() {
		assertThat(new Lease(Duration.ofNanos(1_999_999), true).nanos()).isEqualTo(1_000_000);
		assertThat(new Lease(Duration.ofDays(1_000_000), true).nanos())
			.isEqualTo(Long.MAX_VALUE / 8_000_000 * 1_000_000);
	}

}
