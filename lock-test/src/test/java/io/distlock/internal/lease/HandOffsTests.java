package io.distlock.internal.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.internal.ModelClock;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How far a lock may pass on within a process, and with which tokens. */
class HandOffsTests {

	private static final LeaseTerm TERM = new LeaseTerm(Duration.ofSeconds(30), true);

	private static final long NANOS = TERM.nanos();

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	/** Not zero, as the monotonic clock seldom is. */
	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private final StoreLease lease = lease(TERM, 64);

	private static StoreLease lease(LeaseTerm term, int tokens) {
		return new StoreLease(new RequestId("one", 1), new Grant(100, tokens, 30_000, 0), term, NOW, NOW + NANOS, 0,
				new EngineClock(new ModelClock()), new Backoff(() -> 0.5));
	}

	private boolean passes(long now) {
		return this.lease.mayHandOff(NANOS, TERM, now);
	}

	@Test
	void mayHandOffWhenUnseenForASecondThenNot() {
		assertThat(passes(NOW)).isTrue();
		assertThat(passes(NOW + SECOND / 2)).isTrue();
		assertThat(passes(NOW + SECOND)).isFalse();
	}

	@Test
	void mayHandOffWhenConfirmedThenCountedFromWhenTheRenewalWasSent() {
		this.lease.handOffs().confirmed(new Grant(100, 64, 30_000, 0), 0, NOW + SECOND, NOW + 2 * SECOND);
		assertThat(passes(NOW + SECOND * 3 / 2)).isTrue();
		assertThat(passes(NOW + 2 * SECOND)).isFalse();
	}

	@Test
	void mayHandOffWhenContendedThenForFiveMilliseconds() {
		long since = NOW + SECOND / 2;
		this.lease.handOffs().contended(since);
		long end = since + TimeUnit.MILLISECONDS.toNanos(5);
		long before = end - TimeUnit.MILLISECONDS.toNanos(1);
		this.lease.handOffs().contended(before);
		assertThat(passes(before)).isTrue();
		assertThat(passes(end)).isFalse();
	}

	@Test
	void mayStayThenWithinTheSameBounds() {
		assertThat(this.lease.handOffs().mayStay(NOW + SECOND / 2)).isTrue();
		assertThat(this.lease.handOffs().mayStay(NOW + SECOND)).isFalse();
		this.lease.handOffs().contended(NOW);
		assertThat(this.lease.handOffs().mayStay(NOW + TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
		for (int joined = 0; joined < HandOffs.CONTENDED; joined++) {
			assertThat(this.lease.handOffs().mayStay(NOW)).isTrue();
			this.lease.handOffs().handedOff();
		}
		assertThat(this.lease.handOffs().mayStay(NOW)).isFalse();
	}

	/** A reader has asked, so who waits elsewhere came before it. */
	@Test
	void spendThenNobodyJoinsWhileOthersWait() {
		this.lease.handOffs().spend();
		assertThat(this.lease.handOffs().mayStay(NOW)).as("nobody waits").isTrue();
		this.lease.handOffs().contended(NOW);
		this.lease.handOffs().spend();
		assertThat(this.lease.handOffs().mayStay(NOW)).isFalse();
		this.lease.handOffs().uncontended(NOW + 1);
		assertThat(this.lease.handOffs().mayStay(NOW)).isTrue();
	}

	@Test
	void uncontendedWhenSomebodyCameSinceThenStillContended() {
		this.lease.handOffs().contended(NOW);
		long later = NOW + TimeUnit.MILLISECONDS.toNanos(6);
		this.lease.handOffs().uncontended(NOW);
		assertThat(this.lease.handOffs().mayStay(later)).isFalse();
		this.lease.handOffs().uncontended(NOW + 1);
		assertThat(this.lease.handOffs().mayStay(later)).isTrue();
	}

	@Test
	void mayHandOffWhenContendedThenSoManyTimesFromThenOn() {
		this.lease.handOffs().handedOff();
		this.lease.handOffs().contended(NOW);
		for (int pass = 0; pass < HandOffs.CONTENDED - 1; pass++) {
			this.lease.handOffs().handedOff();
		}
		assertThat(passes(NOW)).isTrue();
		this.lease.handOffs().handedOff();
		assertThat(passes(NOW)).isFalse();
	}

	@Test
	void mayHandOffWhenNobodyElseWaitsThenAsOftenAsThereAreTokens() {
		StoreLease two = lease(TERM, 2);
		assertThat(two.handOffs().takeToken()).isEqualTo(100);
		assertThat(two.mayHandOff(NANOS, TERM, NOW)).isTrue();
		assertThat(two.handOffs().nextTokens(true, NOW)).isEqualTo(HandOffs.firstTokens());
		assertThat(two.handOffs().takeToken()).isEqualTo(101);
		assertThat(two.mayHandOff(NANOS, TERM, NOW)).isFalse();
		assertThat(two.handOffs().nextTokens(true, NOW)).isEqualTo(HandOffs.MORE_TOKENS);
		two.handOffs().contended(NOW);
		assertThat(two.handOffs().nextTokens(true, NOW)).as("it would have had to go anyway")
			.isEqualTo(HandOffs.firstTokens());
	}

	@Test
	void nextTokensWhenContendedAndTheFirstOnesAreGoneThenMore() {
		long later = NOW + TimeUnit.MILLISECONDS.toNanos(2);
		this.lease.handOffs().contended(NOW);
		take(HandOffs.firstTokens() - 1);
		assertThat(this.lease.handOffs().nextTokens(true, later)).isEqualTo(HandOffs.firstTokens());
		take(1);
		assertThat(this.lease.handOffs().nextTokens(true, later)).isEqualTo(256);
		StoreLease next = lease(TERM, 256);
		next.handOffs().contended(NOW);
		takeFrom(next, HandOffs.firstTokens());
		assertThat(next.handOffs().nextTokens(true, later)).as("not every other time").isEqualTo(256);
		takeFrom(next, 256 - HandOffs.firstTokens());
		assertThat(next.handOffs().nextTokens(true, later)).isEqualTo(HandOffs.CONTENDED);
	}

	/** They follow the clock in microseconds. */
	@Test
	void nextTokensWhenContendedThenNoMoreThanMicrosecondsHavePassed() {
		StoreLease quick = lease(TERM, 256);
		quick.handOffs().contended(NOW);
		takeFrom(quick, 256);
		assertThat(quick.handOffs().nextTokens(true, NOW + TimeUnit.MICROSECONDS.toNanos(700))).isEqualTo(700);
		assertThat(quick.handOffs().nextTokens(true, NOW + TimeUnit.MICROSECONDS.toNanos(200))).isEqualTo(256);
	}

	@Test
	void mayHandOffWhenTheGrantIsShortThenAThirdOfItIsEnough() {
		this.lease.handOffs().confirmed(new Grant(100, 64, 1500, 0), 0, NOW, NOW);
		assertThat(this.lease.mayHandOff(SECOND / 2, TERM, NOW)).isTrue();
		assertThat(this.lease.mayHandOff(SECOND / 2 - 1, TERM, NOW)).isFalse();
	}

	@Test
	void mayHandOffWhenAnotherLeaseIsWantedOrItIsNotRenewedThenNot() {
		assertThat(this.lease.mayHandOff(NANOS, new LeaseTerm(Duration.ofSeconds(29), true), NOW)).isFalse();
		LeaseTerm fixed = new LeaseTerm(Duration.ofSeconds(30), false);
		assertThat(lease(fixed, 64).mayHandOff(NANOS, fixed, NOW)).isFalse();
		this.lease.renewals().stop();
		assertThat(passes(NOW)).isFalse();
	}

	@Test
	void reserveWhenHalfIsGoneThenMoreTokensOnce() {
		take(31);
		assertThat(this.lease.reserveTokens()).isZero();
		take(1);
		assertThat(this.lease.wantsTokens(TERM, 1)).isTrue();
		assertThat(this.lease.reserveTokens()).isEqualTo(HandOffs.MORE_TOKENS);
		assertThat(this.lease.reserveTokens()).as("while an answer is under way").isZero();
		this.lease.handOffs().notConfirmed();
		assertThat(this.lease.reserveTokens()).isEqualTo(HandOffs.MORE_TOKENS);
	}

	@Test
	void reserveWhenTheNextWaiterWantsAnotherTermThenNoTokenIsCountedForAnyWaiter() {
		assertThat(this.lease.wantsTokens(new LeaseTerm(Duration.ofSeconds(31), true), 64)).isFalse();
		assertThat(this.lease.wantsTokens(null, 64)).isFalse();
	}

	@Test
	void reserveWhenVeryManyWaitThenHalfABlockIsEnough() {
		StoreLease many = lease(TERM, HandOffs.MORE_TOKENS);
		takeFrom(many, HandOffs.MORE_TOKENS / 2 - 1);
		assertThat(many.wantsTokens(TERM, 1_000_000)).isFalse();
		takeFrom(many, 1);
		assertThat(many.wantsTokens(TERM, 1_000_000)).isTrue();
	}

	@Test
	void reserveWhenContendedOrFailingThenNot() {
		take(64);
		this.lease.failed();
		assertThat(this.lease.wantsTokens(TERM, 1)).isFalse();
		this.lease.renewals().planNext(NOW, NANOS);
		assertThat(this.lease.wantsTokens(TERM, 1)).isTrue();
		this.lease.handOffs().contended(NOW);
		assertThat(this.lease.wantsTokens(TERM, 1)).isFalse();
	}

	@Test
	void confirmedWhenTokensWereReservedThenTheNewBlockIsUsed() {
		take(3);
		this.lease.reserveTokens();
		this.lease.handOffs().confirmed(new Grant(103, 2, 30_000, 0), 0, NOW, NOW);
		assertThat(this.lease.handOffs().takeToken()).isEqualTo(103);
		assertThat(this.lease.mayHandOff(NANOS, TERM, NOW)).isTrue();
		assertThat(this.lease.wantsTokens(TERM, 1)).isTrue();
		assertThat(this.lease.handOffs().takeToken()).isEqualTo(104);
		assertThat(this.lease.mayHandOff(NANOS, TERM, NOW)).isFalse();
	}

	@Test
	void confirmedWhenTheAnswerKnowsOldTokensOnlyThenTheyAreNotUsedTwice() {
		take(3);
		this.lease.handOffs().confirmed(new Grant(100, 64, 30_000, 0), 0, NOW, NOW);
		assertThat(this.lease.handOffs().takeToken()).isEqualTo(103);
	}

	private void take(int count) {
		takeFrom(this.lease, count);
	}

	private static void takeFrom(StoreLease lease, int count) {
		for (int i = 0; i < count; i++) {
			lease.handOffs().takeToken();
		}
	}

}
