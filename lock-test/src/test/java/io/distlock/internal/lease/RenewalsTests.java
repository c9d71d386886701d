package io.distlock.internal.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a hold is renewed, and with which lease. */
class RenewalsTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final LeaseTerm RENEWED = new LeaseTerm(Duration.ofSeconds(30), true);

	private static final LeaseTerm FIXED = new LeaseTerm(Duration.ofSeconds(30), false);

	/** Steps of renewals every 10 s. */
	private static final long STEP = SECOND / 4;

	private static final long NOW = 1234 * SECOND;

	private static Renewals lease(LeaseTerm term, long now) {
		return lease(term, now, 30);
	}

	private static Renewals lease(LeaseTerm term, long now, int seconds) {
		return new Renewals(term, now, seconds * SECOND, new Backoff(() -> 0.5));
	}

	/** Due in this span, from NOW. */
	private static void assertDue(Renewals lease, long notBefore, long by) {
		assertThat(lease.due(NOW + notBefore)).as("too early").isFalse();
		assertThat(lease.due(NOW + by)).as("too late").isTrue();
	}

	@Test
	void nextSendThenAtAThirdInSteps() {
		Renewals lease = lease(RENEWED, NOW);
		assertDue(lease, 10 * SECOND - STEP, 10 * SECOND);
		long steps = LongStream.range(0, 16)
			.map((part) -> lease(RENEWED, NOW + part * STEP / 4).nextSend())
			.distinct()
			.count();
		assertThat(steps).as("16 leases of four steps are renewed together").isBetween(4L, 5L);
	}

	@Test
	void confirmedWhenAnswersTookDifferentTimesThenRenewedTogether() {
		Renewals one = lease(RENEWED, NOW);
		Renewals other = lease(RENEWED, NOW);
		one.planNext(NOW, 30 * SECOND - 1_234_567);
		other.planNext(NOW, 30 * SECOND - 2_345_678);
		assertThat(one.nextSend()).isEqualTo(other.nextSend());
	}

	@Test
	void confirmedWhenLittleIsLeftThenWithinAThirdOfIt() {
		Renewals lease = lease(RENEWED, NOW);
		lease.planNext(NOW, SECOND);
		assertDue(lease, SECOND / 4, SECOND / 3);
	}

	@Test
	void nextSendWhenTheLeaseIsTinyThenWithoutSteps() {
		assertThat(lease(new LeaseTerm(Duration.ZERO, true), NOW).due(NOW)).isTrue();
	}

	@Test
	void dueWhenFixedThenOnlyIfAskedFor() {
		Renewals lease = lease(FIXED, NOW);
		assertThat(lease.due(NOW + 30 * SECOND)).isFalse();
		assertThat(lease.dueBy(NOW)).isEqualTo(NOW);
		assertThat(lease.dueBy(NOW + 60 * SECOND)).isEqualTo(NOW + 60 * SECOND);
		lease.hurry(NOW);
		assertThat(lease.due(NOW)).isTrue();
		assertThat(lease.dueBy(NOW + 60 * SECOND)).isEqualTo(NOW);
		lease.planNext(NOW, 30 * SECOND);
		assertThat(lease.scheduled()).isFalse();
	}

	@Test
	void confirmWhenFixedThenOnceAndItsEndStays() {
		Renewals lease = lease(FIXED, NOW);
		lease.confirm(12 * SECOND, NOW);
		assertThat(lease.due(NOW)).isTrue();
		assertThat(lease.isAsking()).isTrue();
		assertThat(lease.sent(NOW, SECOND, 12 * SECOND)).isEqualTo(new LeaseTerm(Duration.ofSeconds(12), false));
		lease.planNext(NOW, 12 * SECOND);
		assertThat(lease.scheduled()).isFalse();
		lease.confirm(SECOND / 2000, NOW);
		assertThat(lease.scheduled()).as("less than the resolution is left").isFalse();
	}

	@Test
	void confirmWhenRenewedThenAtOnceUnlessItWasStopped() {
		Renewals lease = lease(RENEWED, NOW);
		lease.confirm(12 * SECOND, NOW);
		assertThat(lease.due(NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(RENEWED);
		lease.stop();
		lease.confirm(12 * SECOND, NOW);
		assertThat(lease.scheduled()).isFalse();
	}

	@Test
	void confirmWhenFixedAndScheduledThenWithTheTermThatIsWanted() {
		Renewals lease = lease(FIXED, NOW);
		lease.hurry(NOW);
		lease.confirm(2 * SECOND, NOW);
		assertThat(lease.due(NOW)).isTrue();
		assertThat(lease.term()).as("not the short lease of a pushed grant").isEqualTo(FIXED);
	}

	@Test
	void sentThenRepeatedAfterTimeoutSixthOfLeaseOrThirdOfTheRest() {
		Renewals lease = lease(RENEWED, NOW);
		lease.sent(NOW, SECOND, 30 * SECOND);
		assertDue(lease, SECOND * 9 / 10, SECOND);
		lease.sent(NOW, 20 * SECOND, 30 * SECOND);
		assertDue(lease, 4 * SECOND, 5 * SECOND);
		lease.sent(NOW, 20 * SECOND, 3 * SECOND);
		assertDue(lease, SECOND * 9 / 10, SECOND);
		lease.sent(NOW, 20 * SECOND, -3 * SECOND);
		assertThat(lease.due(NOW)).isTrue();
	}

	@Test
	void confirmedThenAtAThirdOfWhatIsLeftAtMostOfTheLease() {
		Renewals lease = lease(RENEWED, NOW);
		lease.planNext(NOW, 60 * SECOND);
		assertDue(lease, 9 * SECOND, 10 * SECOND);
		lease.planNext(NOW + 6 * SECOND, 12 * SECOND);
		assertDue(lease, 9 * SECOND, 10 * SECOND);
	}

	@Test
	void failedThenSoonAgainAndToldOnce() {
		Renewals lease = lease(RENEWED, NOW);
		assertThat(lease.failing()).isFalse();
		assertThat(lease.failed(NOW)).isTrue();
		assertThat(lease.failing()).isTrue();
		assertDue(lease, 0, SECOND / 10);
		assertThat(lease.failed(NOW)).isFalse();
		lease.planNext(NOW, 30 * SECOND);
		assertThat(lease.failing()).isFalse();
		assertThat(lease.failed(NOW)).isTrue();
	}

	@Test
	void lengthenWhenFixedWithinWhatIsLeftThenNot() {
		Renewals lease = lease(FIXED, NOW);
		assertThat(lease.lengthen(new LeaseTerm(Duration.ofSeconds(20), false), 20 * SECOND, NOW)).isFalse();
		assertThat(lease.term()).isEqualTo(FIXED);
		assertThat(lease.scheduled()).isFalse();
	}

	@Test
	void lengthenWhenFixedOutlastsWhatIsLeftThenAskedForAtOnceAndStaysFixed() {
		Renewals lease = lease(FIXED, NOW);
		LeaseTerm wish = new LeaseTerm(Duration.ofSeconds(21), false);
		assertThat(lease.lengthen(wish, 20 * SECOND, NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(wish);
		assertThat(lease.due(NOW)).isTrue();
	}

	@Test
	void lengthenWhenTheNextIsRenewedThenRenewedFromNowOnAndNotShorter() {
		Renewals lease = lease(FIXED, NOW);
		assertThat(lease.lengthen(new LeaseTerm(Duration.ofSeconds(10), true), 20 * SECOND, NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(20), true));
		Renewals even = lease(FIXED, NOW);
		assertThat(even.lengthen(new LeaseTerm(Duration.ofSeconds(20), true), 21 * SECOND, NOW)).isTrue();
		assertThat(even.term().duration()).hasSeconds(21);
	}

	@Test
	void lengthenWhenRenewedThenOnlyForALongerLease() {
		Renewals lease = lease(RENEWED, NOW);
		assertThat(lease.lengthen(FIXED, 10 * SECOND, NOW)).isFalse();
		assertThat(lease.due(NOW)).isFalse();
		assertThat(lease.lengthen(new LeaseTerm(Duration.ofSeconds(31), false), 10 * SECOND, NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(31), true));
	}

	@Test
	void extendWhenLessIsLeftThenAskedForAtOnce() {
		Renewals lease = lease(FIXED, NOW);
		LeaseTerm wish = new LeaseTerm(Duration.ofSeconds(20), false);
		assertThat(lease.extend(wish, 20 * SECOND, NOW)).isFalse();
		assertThat(lease.due(NOW)).isFalse();
		assertThat(lease.extend(wish, 19 * SECOND, NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(wish);
		assertThat(lease.due(NOW)).isTrue();
	}

	@Test
	void extendWhenRenewedThenAtOnceAndNeverWithAShorterLease() {
		Renewals lease = lease(RENEWED, NOW);
		assertThat(lease.extend(new LeaseTerm(Duration.ofSeconds(10), false), 5 * SECOND, NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(RENEWED);
		assertThat(lease.due(NOW)).isTrue();
		assertThat(lease.extend(new LeaseTerm(Duration.ofSeconds(31), false), 5 * SECOND, NOW)).isTrue();
		assertThat(lease.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(31), true));
	}

	@Test
	void refusedThenAsBefore() {
		Renewals renewed = lease(RENEWED, NOW);
		renewed.lengthen(new LeaseTerm(Duration.ofSeconds(31), true), 10 * SECOND, NOW);
		renewed.refused();
		assertThat(renewed.term()).isEqualTo(RENEWED);
		assertThat(renewed.scheduled()).isTrue();
		Renewals fixed = lease(FIXED, NOW);
		LeaseTerm granted = new LeaseTerm(Duration.ofSeconds(40), false);
		fixed.extend(granted, 10 * SECOND, NOW);
		fixed.planNext(NOW, 40 * SECOND);
		fixed.extend(new LeaseTerm(Duration.ofSeconds(50), false), 10 * SECOND, NOW);
		fixed.refused();
		assertThat(fixed.term()).isEqualTo(granted);
		assertThat(fixed.scheduled()).isFalse();
	}

	@Test
	void longestThenNeverShorterThanWhatWasRequested() {
		Renewals lease = lease(RENEWED, NOW);
		assertThat(lease.longest()).isEqualTo(RENEWED);
		LeaseTerm longer = new LeaseTerm(Duration.ofSeconds(31), true);
		lease.extend(longer, SECOND, NOW);
		lease.sent(NOW, SECOND, SECOND);
		assertThat(lease.longest()).isEqualTo(longer);
		lease.refused();
		assertThat(lease.sent(NOW, SECOND, SECOND)).isEqualTo(RENEWED);
		assertThat(lease.longest()).isEqualTo(longer);
	}

}
