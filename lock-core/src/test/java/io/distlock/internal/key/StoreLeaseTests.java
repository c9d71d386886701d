package io.distlock.internal.key;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How far a lock may pass on within a process, and with which tokens. */
class StoreLeaseTests {

	private static final LeaseTerm TERM = new LeaseTerm(Duration.ofSeconds(30), true);

	private static final long NANOS = TERM.nanos();

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	/** Not zero, as the monotonic clock seldom is. */
	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private final StoreLease lease = lease(TERM, 64);

	private static StoreLease lease(LeaseTerm term, int tokens) {
		return new StoreLease(new RequestId("one", 1), new Grant(100, tokens, 30_000, 0),
				new Renewer(term, NOW, new Backoff(() -> 0.5)), NOW, NANOS);
	}

	private boolean passes(long now) {
		return this.lease.mayHandOff(NANOS, TERM, now);
	}

	@Test
	void mayHandOffWhenUnseenForASecondThenNot() {
		assertThat(passes(NOW)).isTrue();
		assertThat(passes(NOW + SECOND - 1)).isTrue();
		assertThat(passes(NOW + SECOND)).isFalse();
	}

	@Test
	void mayHandOffWhenConfirmedThenCountedFromWhenTheRenewalWasSent() {
		this.lease.confirmed(new Grant(100, 64, 30_000, 0), 0, NOW + SECOND, NOW + 2 * SECOND);
		assertThat(passes(NOW + 2 * SECOND - 1)).isTrue();
		assertThat(passes(NOW + 2 * SECOND)).isFalse();
	}

	@Test
	void mayHandOffWhenContendedThenForFiveMilliseconds() {
		long since = NOW + SECOND / 2;
		this.lease.contended(since);
		long end = since + TimeUnit.MILLISECONDS.toNanos(5);
		this.lease.contended(end - 1);
		assertThat(passes(end - 1)).isTrue();
		assertThat(passes(end)).isFalse();
	}

	@Test
	void mayShareThenWithinTheSameBounds() {
		assertThat(this.lease.mayShare(NOW + SECOND - 1)).isTrue();
		assertThat(this.lease.mayShare(NOW + SECOND)).isFalse();
		this.lease.contended(NOW);
		assertThat(this.lease.mayShare(NOW + TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
		for (int joined = 0; joined < 64; joined++) {
			assertThat(this.lease.mayShare(NOW)).isTrue();
			this.lease.handedOff();
		}
		assertThat(this.lease.mayShare(NOW)).isFalse();
	}

	@Test
	void uncontendedWhenSomebodyCameSinceThenStillContended() {
		this.lease.contended(NOW);
		long later = NOW + TimeUnit.MILLISECONDS.toNanos(6);
		this.lease.uncontended(NOW);
		assertThat(this.lease.mayShare(later)).isFalse();
		this.lease.uncontended(NOW + 1);
		assertThat(this.lease.mayShare(later)).isTrue();
	}

	@Test
	void mayHandOffWhenARenewalTellsOfWaitersThenContended() {
		this.lease.confirmed(new Grant(100, 64, 30_000, 0), 1, NOW, NOW);
		assertThat(passes(NOW + TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
	}

	@Test
	void mayHandOffWhenContendedThenSixtyFourTimesFromThenOn() {
		this.lease.handedOff();
		this.lease.contended(NOW);
		for (int pass = 0; pass < 63; pass++) {
			this.lease.handedOff();
		}
		assertThat(passes(NOW)).isTrue();
		this.lease.handedOff();
		assertThat(passes(NOW)).isFalse();
	}

	@Test
	void mayHandOffWhenNobodyElseWaitsThenAsOftenAsThereAreTokens() {
		StoreLease two = lease(TERM, 2);
		assertThat(two.takeToken()).isEqualTo(100);
		assertThat(two.mayHandOff(NANOS, TERM, NOW)).isTrue();
		assertThat(two.ranOut()).isFalse();
		assertThat(two.takeToken()).isEqualTo(101);
		assertThat(two.mayHandOff(NANOS, TERM, NOW)).isFalse();
		assertThat(two.ranOut()).isTrue();
		two.contended(NOW);
		assertThat(two.ranOut()).as("it would have had to go anyway").isFalse();
	}

	@Test
	void mayHandOffWhenLessThanAThirdIsLeftThenNot() {
		assertThat(this.lease.mayHandOff(NANOS / 3, TERM, NOW)).isTrue();
		assertThat(this.lease.mayHandOff(NANOS / 3 - 1, TERM, NOW)).isFalse();
	}

	@Test
	void mayHandOffWhenTheGrantIsShortThenAThirdOfItIsEnough() {
		this.lease.confirmed(new Grant(100, 64, 1500, 0), 0, NOW, NOW);
		assertThat(this.lease.mayHandOff(SECOND / 2, TERM, NOW)).isTrue();
		assertThat(this.lease.mayHandOff(SECOND / 2 - 1, TERM, NOW)).isFalse();
	}

	@Test
	void mayHandOffWhenAnotherLeaseIsWantedOrItIsNotRenewedThenNot() {
		assertThat(this.lease.mayHandOff(NANOS, new LeaseTerm(Duration.ofSeconds(29), true), NOW)).isFalse();
		LeaseTerm fixed = new LeaseTerm(Duration.ofSeconds(30), false);
		assertThat(lease(fixed, 64).mayHandOff(NANOS, fixed, NOW)).isFalse();
		this.lease.renewer().stop();
		assertThat(passes(NOW)).isFalse();
	}

	@Test
	void reserveWhenHalfIsGoneThenMoreTokensOnce() {
		take(31);
		assertThat(this.lease.reserve()).isZero();
		take(1);
		assertThat(this.lease.wantsTokens()).isTrue();
		assertThat(this.lease.reserve()).isEqualTo(StoreLease.MORE_TOKENS);
		assertThat(this.lease.reserve()).as("while an answer is under way").isZero();
		this.lease.notConfirmed();
		assertThat(this.lease.reserve()).isEqualTo(StoreLease.MORE_TOKENS);
	}

	@Test
	void reserveWhenMoreWaitThanThereAreTokensThenAtOnce() {
		this.lease.waiting(63);
		assertThat(this.lease.wantsTokens()).isFalse();
		this.lease.waiting(64);
		assertThat(this.lease.wantsTokens()).isTrue();
	}

	@Test
	void reserveWhenVeryManyWaitThenHalfABlockIsEnough() {
		StoreLease many = lease(TERM, StoreLease.MORE_TOKENS);
		many.waiting(1_000_000);
		takeFrom(many, StoreLease.MORE_TOKENS / 2 - 1);
		assertThat(many.wantsTokens()).isFalse();
		takeFrom(many, 1);
		assertThat(many.wantsTokens()).isTrue();
	}

	@Test
	void reserveWhenContendedOrFailingThenNot() {
		take(64);
		this.lease.renewer().failed(NOW);
		assertThat(this.lease.wantsTokens()).isFalse();
		this.lease.renewer().confirmed(NOW, NANOS);
		assertThat(this.lease.wantsTokens()).isTrue();
		this.lease.contended(NOW);
		assertThat(this.lease.wantsTokens()).isFalse();
	}

	@Test
	void confirmedWhenTokensWereReservedThenTheNewBlockIsUsed() {
		take(3);
		this.lease.reserve();
		this.lease.confirmed(new Grant(103, 2, 30_000, 0), 0, NOW, NOW);
		assertThat(this.lease.takeToken()).isEqualTo(103);
		assertThat(this.lease.mayHandOff(NANOS, TERM, NOW)).isTrue();
		assertThat(this.lease.wantsTokens()).isTrue();
		assertThat(this.lease.takeToken()).isEqualTo(104);
		assertThat(this.lease.mayHandOff(NANOS, TERM, NOW)).isFalse();
	}

	@Test
	void confirmedWhenTheAnswerKnowsOldTokensOnlyThenTheyAreNotUsedTwice() {
		take(3);
		this.lease.confirmed(new Grant(100, 64, 30_000, 0), 0, NOW, NOW);
		assertThat(this.lease.takeToken()).isEqualTo(103);
	}

	private void take(int count) {
		takeFrom(this.lease, count);
	}

	private static void takeFrom(StoreLease lease, int count) {
		for (int i = 0; i < count; i++) {
			lease.takeToken();
		}
	}

}
