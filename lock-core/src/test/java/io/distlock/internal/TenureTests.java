package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How far a lock may pass on within a process, and with which tokens. */
class TenureTests {

	private static final Lease LEASE = new Lease(Duration.ofSeconds(30), true);

	private static final long NANOS = LEASE.nanos();

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	/** Not zero, as the monotonic clock seldom is. */
	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private final Tenure tenure = tenure(LEASE, 64);

	private static Tenure tenure(Lease lease, int tokens) {
		return new Tenure(new RequestId("one", 1), new Grant(100, tokens, 30_000, 0),
				new Renewal(lease, NOW, new Backoff(() -> 0.5)), NOW, NANOS);
	}

	private boolean passes(long now) {
		return this.tenure.mayPass(NANOS, LEASE, now);
	}

	@Test
	void mayPassWhenUnseenForASecondThenNot() {
		assertThat(passes(NOW)).isTrue();
		assertThat(passes(NOW + SECOND - 1)).isTrue();
		assertThat(passes(NOW + SECOND)).isFalse();
	}

	@Test
	void mayPassWhenConfirmedThenCountedFromWhenTheRenewalWasSent() {
		this.tenure.confirmed(new Grant(100, 64, 30_000, 0), 0, NOW + SECOND, NOW + 2 * SECOND);
		assertThat(passes(NOW + 2 * SECOND - 1)).isTrue();
		assertThat(passes(NOW + 2 * SECOND)).isFalse();
	}

	@Test
	void mayPassWhenContendedThenForFiveMilliseconds() {
		long since = NOW + SECOND / 2;
		this.tenure.contended(since);
		long end = since + TimeUnit.MILLISECONDS.toNanos(5);
		this.tenure.contended(end - 1);
		assertThat(passes(end - 1)).isTrue();
		assertThat(passes(end)).isFalse();
	}

	@Test
	void mayShareThenWithinTheSameBounds() {
		assertThat(this.tenure.mayShare(NOW + SECOND - 1)).isTrue();
		assertThat(this.tenure.mayShare(NOW + SECOND)).isFalse();
		this.tenure.contended(NOW);
		assertThat(this.tenure.mayShare(NOW + TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
		for (int joined = 0; joined < 64; joined++) {
			assertThat(this.tenure.mayShare(NOW)).isTrue();
			this.tenure.passed();
		}
		assertThat(this.tenure.mayShare(NOW)).isFalse();
	}

	@Test
	void uncontendedWhenSomebodyCameSinceThenStillContended() {
		this.tenure.contended(NOW);
		long later = NOW + TimeUnit.MILLISECONDS.toNanos(6);
		this.tenure.uncontended(NOW);
		assertThat(this.tenure.mayShare(later)).isFalse();
		this.tenure.uncontended(NOW + 1);
		assertThat(this.tenure.mayShare(later)).isTrue();
	}

	@Test
	void mayPassWhenARenewalTellsOfWaitersThenContended() {
		this.tenure.confirmed(new Grant(100, 64, 30_000, 0), 1, NOW, NOW);
		assertThat(passes(NOW + TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
	}

	@Test
	void mayPassWhenContendedThenSixtyFourTimesFromThenOn() {
		this.tenure.passed();
		this.tenure.contended(NOW);
		for (int pass = 0; pass < 63; pass++) {
			this.tenure.passed();
		}
		assertThat(passes(NOW)).isTrue();
		this.tenure.passed();
		assertThat(passes(NOW)).isFalse();
	}

	@Test
	void mayPassWhenNobodyElseWaitsThenAsOftenAsThereAreTokens() {
		Tenure two = tenure(LEASE, 2);
		assertThat(two.takeToken()).isEqualTo(100);
		assertThat(two.mayPass(NANOS, LEASE, NOW)).isTrue();
		assertThat(two.ranOut()).isFalse();
		assertThat(two.takeToken()).isEqualTo(101);
		assertThat(two.mayPass(NANOS, LEASE, NOW)).isFalse();
		assertThat(two.ranOut()).isTrue();
		two.contended(NOW);
		assertThat(two.ranOut()).as("it would have had to go anyway").isFalse();
	}

	@Test
	void mayPassWhenLessThanAThirdIsLeftThenNot() {
		assertThat(this.tenure.mayPass(NANOS / 3, LEASE, NOW)).isTrue();
		assertThat(this.tenure.mayPass(NANOS / 3 - 1, LEASE, NOW)).isFalse();
	}

	@Test
	void mayPassWhenTheGrantIsShortThenAThirdOfItIsEnough() {
		this.tenure.confirmed(new Grant(100, 64, 1500, 0), 0, NOW, NOW);
		assertThat(this.tenure.mayPass(SECOND / 2, LEASE, NOW)).isTrue();
		assertThat(this.tenure.mayPass(SECOND / 2 - 1, LEASE, NOW)).isFalse();
	}

	@Test
	void mayPassWhenAnotherLeaseIsWantedOrItIsNotRenewedThenNot() {
		assertThat(this.tenure.mayPass(NANOS, new Lease(Duration.ofSeconds(29), true), NOW)).isFalse();
		Lease fixed = new Lease(Duration.ofSeconds(30), false);
		assertThat(tenure(fixed, 64).mayPass(NANOS, fixed, NOW)).isFalse();
		this.tenure.renewal().stop();
		assertThat(passes(NOW)).isFalse();
	}

	@Test
	void reserveWhenHalfIsGoneThenMoreTokensOnce() {
		take(31);
		assertThat(this.tenure.reserve()).isZero();
		take(1);
		assertThat(this.tenure.wantsTokens()).isTrue();
		assertThat(this.tenure.reserve()).isEqualTo(Tenure.MORE_TOKENS);
		assertThat(this.tenure.reserve()).as("while an answer is under way").isZero();
		this.tenure.notConfirmed();
		assertThat(this.tenure.reserve()).isEqualTo(Tenure.MORE_TOKENS);
	}

	@Test
	void reserveWhenMoreWaitThanThereAreTokensThenAtOnce() {
		this.tenure.waiting(63);
		assertThat(this.tenure.wantsTokens()).isFalse();
		this.tenure.waiting(64);
		assertThat(this.tenure.wantsTokens()).isTrue();
	}

	@Test
	void reserveWhenVeryManyWaitThenHalfABlockIsEnough() {
		Tenure many = tenure(LEASE, Tenure.MORE_TOKENS);
		many.waiting(1_000_000);
		takeFrom(many, Tenure.MORE_TOKENS / 2 - 1);
		assertThat(many.wantsTokens()).isFalse();
		takeFrom(many, 1);
		assertThat(many.wantsTokens()).isTrue();
	}

	@Test
	void reserveWhenContendedOrFailingThenNot() {
		take(64);
		this.tenure.renewal().failed(new ModelClock());
		assertThat(this.tenure.wantsTokens()).isFalse();
		this.tenure.renewal().confirmed(NOW, NANOS);
		assertThat(this.tenure.wantsTokens()).isTrue();
		this.tenure.contended(NOW);
		assertThat(this.tenure.wantsTokens()).isFalse();
	}

	@Test
	void confirmedWhenTokensWereReservedThenTheNewBlockIsUsed() {
		take(3);
		this.tenure.reserve();
		this.tenure.confirmed(new Grant(103, 2, 30_000, 0), 0, NOW, NOW);
		assertThat(this.tenure.takeToken()).isEqualTo(103);
		assertThat(this.tenure.mayPass(NANOS, LEASE, NOW)).isTrue();
		assertThat(this.tenure.wantsTokens()).isTrue();
		assertThat(this.tenure.takeToken()).isEqualTo(104);
		assertThat(this.tenure.mayPass(NANOS, LEASE, NOW)).isFalse();
	}

	@Test
	void confirmedWhenTheAnswerKnowsOldTokensOnlyThenTheyAreNotUsedTwice() {
		take(3);
		this.tenure.confirmed(new Grant(100, 64, 30_000, 0), 0, NOW, NOW);
		assertThat(this.tenure.takeToken()).isEqualTo(103);
	}

	@Test
	void longestLeaseThenNeverShorterThanWhatWasAsked() {
		assertThat(this.tenure.longestLease()).isEqualTo(LEASE);
		Lease longer = new Lease(Duration.ofSeconds(31), false);
		this.tenure.asked(longer);
		this.tenure.asked(new Lease(Duration.ofSeconds(31), true));
		assertThat(this.tenure.longestLease()).isSameAs(longer);
		this.tenure.asked(LEASE);
		assertThat(this.tenure.longestLease()).isSameAs(longer);
	}

	@Test
	void believableThenTheShortestThatMayStillBeExecuted() {
		Lease shorter = new Lease(Duration.ofSeconds(5), true);
		this.tenure.asked(shorter);
		this.tenure.asked(LEASE);
		assertThat(this.tenure.believable(LEASE, 30_000)).isEqualTo(5000);
		assertThat(this.tenure.believable(shorter, 30_000)).isEqualTo(30_000);
	}

	private void take(int count) {
		takeFrom(this.tenure, count);
	}

	private static void takeFrom(Tenure tenure, int count) {
		for (int i = 0; i < count; i++) {
			tenure.takeToken();
		}
	}

}
