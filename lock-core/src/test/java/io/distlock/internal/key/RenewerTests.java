package io.distlock.internal.key;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a hold is renewed, and with which lease. */
class RenewerTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final LeaseTerm RENEWED = new LeaseTerm(Duration.ofSeconds(30), true);

	private static final LeaseTerm FIXED = new LeaseTerm(Duration.ofSeconds(30), false);

	/** Steps of renewals every 10 s. */
	private static final long STEP = SECOND / 4;

	private static final long NOW = 1234 * SECOND + 1;

	@Test
	void nextSendThenAtAThirdInSteps() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.nextSend()).isEqualTo(1244 * SECOND);
		assertThat(new Renewer(RENEWED, NOW + STEP - 2, new Backoff(() -> 0.5)).nextSend()).isEqualTo(1244 * SECOND);
		assertThat(new Renewer(RENEWED, NOW + STEP - 1, new Backoff(() -> 0.5)).nextSend())
			.isEqualTo(1244 * SECOND + STEP);
		assertThat(renewer.due(1244 * SECOND - 1)).isFalse();
		assertThat(renewer.due(1244 * SECOND)).isTrue();
	}

	@Test
	void confirmedWhenAnswersTookDifferentTimesThenRenewedTogether() {
		Renewer one = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		Renewer other = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		one.confirmed(NOW, 30 * SECOND - 1_234_567);
		other.confirmed(NOW, 30 * SECOND - 2_345_678);
		assertThat(one.nextSend()).isEqualTo(other.nextSend());
	}

	@Test
	void confirmedWhenLittleIsLeftThenWithinAThirdOfIt() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		renewer.confirmed(NOW, SECOND);
		assertThat(renewer.nextSend() - NOW).isBetween(SECOND / 3 - SECOND / 100, SECOND / 3);
	}

	@Test
	void nextSendWhenTheLeaseIsTinyThenWithoutSteps() {
		assertThat(new Renewer(new LeaseTerm(Duration.ZERO, true), NOW, new Backoff(() -> 0.5)).nextSend())
			.isEqualTo(NOW);
	}

	@Test
	void dueWhenFixedThenOnlyIfAskedFor() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.due(NOW + 30 * SECOND)).isFalse();
		assertThat(renewer.dueBy(NOW)).isEqualTo(NOW);
		assertThat(renewer.dueBy(NOW + 60 * SECOND)).isEqualTo(NOW + 60 * SECOND);
		renewer.hurry(NOW);
		assertThat(renewer.due(NOW)).isTrue();
		assertThat(renewer.dueBy(NOW + 60 * SECOND)).isEqualTo(NOW);
		renewer.confirmed(NOW, 30 * SECOND);
		assertThat(renewer.scheduled()).isFalse();
	}

	@Test
	void confirmWhenFixedThenOnceAndItsEndStays() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		renewer.confirm(12 * SECOND, NOW);
		assertThat(renewer.due(NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(12), false));
		renewer.sent(NOW, SECOND, 12 * SECOND);
		renewer.confirmed(NOW, 12 * SECOND);
		assertThat(renewer.scheduled()).isFalse();
		renewer.confirm(SECOND / 2000, NOW);
		assertThat(renewer.scheduled()).as("less than the resolution is left").isFalse();
	}

	@Test
	void confirmWhenRenewedThenAtOnceUnlessItWasStopped() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		renewer.confirm(12 * SECOND, NOW);
		assertThat(renewer.due(NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(RENEWED);
		renewer.stop();
		renewer.confirm(12 * SECOND, NOW);
		assertThat(renewer.scheduled()).isFalse();
	}

	@Test
	void confirmWhenAnEarlierRenewalIsAnsweredThenStillAtOnce() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		renewer.sent(NOW, SECOND, 30 * SECOND);
		renewer.confirm(12 * SECOND, NOW);
		renewer.confirmed(NOW, 12 * SECOND);
		assertThat(renewer.due(NOW)).isTrue();
		renewer.failed(NOW);
		assertThat(renewer.due(NOW)).isTrue();
		renewer.sent(NOW, SECOND, 30 * SECOND);
		renewer.confirmed(NOW, 12 * SECOND);
		assertThat(renewer.due(NOW + SECOND)).isFalse();
		renewer.confirm(12 * SECOND, NOW);
		renewer.stop();
		assertThat(renewer.due(NOW)).isFalse();
	}

	@Test
	void confirmWhenFixedAndScheduledThenWithTheTermThatIsWanted() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		renewer.hurry(NOW);
		renewer.confirm(2 * SECOND, NOW);
		assertThat(renewer.due(NOW)).isTrue();
		assertThat(renewer.term()).as("not the short lease of a pushed grant").isEqualTo(FIXED);
	}

	@Test
	void sentThenRepeatedAfterTimeoutSixthOfLeaseOrThirdOfTheRest() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		renewer.sent(NOW, SECOND, 30 * SECOND);
		assertThat(renewer.nextSend()).isEqualTo(NOW + SECOND);
		renewer.sent(NOW, 20 * SECOND, 30 * SECOND);
		assertThat(renewer.nextSend()).isEqualTo(NOW + 5 * SECOND);
		renewer.sent(NOW, 20 * SECOND, 3 * SECOND);
		assertThat(renewer.nextSend()).isEqualTo(NOW + SECOND);
		renewer.sent(NOW, 20 * SECOND, -3 * SECOND);
		assertThat(renewer.nextSend()).isEqualTo(NOW);
	}

	@Test
	void confirmedThenAtAThirdOfWhatIsLeftAtMostOfTheLease() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		renewer.confirmed(NOW, 60 * SECOND);
		assertThat(renewer.nextSend()).isEqualTo(1244 * SECOND);
		renewer.confirmed(1240 * SECOND, 12 * SECOND);
		assertThat(renewer.nextSend()).isEqualTo(1244 * SECOND);
	}

	@Test
	void failedThenSoonAgainAndToldOnce() {
		Renewer renewer = new Renewer(RENEWED, 0, new Backoff(() -> 0.5));
		assertThat(renewer.failing()).isFalse();
		assertThat(renewer.failed(0)).isTrue();
		assertThat(renewer.failing()).isTrue();
		assertThat(renewer.nextSend()).isBetween(SECOND / 200, SECOND / 100);
		assertThat(renewer.failed(0)).isFalse();
		renewer.confirmed(0, 30 * SECOND);
		assertThat(renewer.failing()).isFalse();
		assertThat(renewer.failed(0)).isTrue();
	}

	@Test
	void lengthenWhenFixedWithinWhatIsLeftThenNot() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.lengthen(new LeaseTerm(Duration.ofSeconds(20), false), 20 * SECOND, NOW)).isFalse();
		assertThat(renewer.term()).isEqualTo(FIXED);
		assertThat(renewer.scheduled()).isFalse();
	}

	@Test
	void lengthenWhenFixedOutlastsWhatIsLeftThenAskedForAtOnceAndStaysFixed() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		LeaseTerm wish = new LeaseTerm(Duration.ofSeconds(21), false);
		assertThat(renewer.lengthen(wish, 20 * SECOND, NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(wish);
		assertThat(renewer.due(NOW)).isTrue();
	}

	@Test
	void lengthenWhenNestedIsRenewedThenRenewedFromNowOnAndNotShorter() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.lengthen(new LeaseTerm(Duration.ofSeconds(10), true), 20 * SECOND, NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(20), true));
		Renewer even = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(even.lengthen(new LeaseTerm(Duration.ofSeconds(20), true), 20 * SECOND + 1, NOW)).isTrue();
		assertThat(even.term().duration()).isEqualTo(Duration.ofSeconds(20).plusNanos(1));
	}

	@Test
	void lengthenWhenRenewedThenOnlyForALongerLease() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.lengthen(FIXED, 10 * SECOND, NOW)).isFalse();
		assertThat(renewer.due(NOW)).isFalse();
		assertThat(renewer.lengthen(new LeaseTerm(Duration.ofSeconds(31), false), 10 * SECOND, NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(31), true));
	}

	@Test
	void extendWhenLessIsLeftThenAskedForAtOnce() {
		Renewer renewer = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		LeaseTerm wish = new LeaseTerm(Duration.ofSeconds(20), false);
		assertThat(renewer.extend(wish, 20 * SECOND, NOW)).isFalse();
		assertThat(renewer.due(NOW)).isFalse();
		assertThat(renewer.extend(wish, 20 * SECOND - 1, NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(wish);
		assertThat(renewer.due(NOW)).isTrue();
	}

	@Test
	void extendWhenRenewedThenAtOnceAndNeverWithAShorterLease() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.extend(new LeaseTerm(Duration.ofSeconds(10), false), 5 * SECOND, NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(RENEWED);
		assertThat(renewer.due(NOW)).isTrue();
		assertThat(renewer.extend(new LeaseTerm(Duration.ofSeconds(31), false), 5 * SECOND, NOW)).isTrue();
		assertThat(renewer.term()).isEqualTo(new LeaseTerm(Duration.ofSeconds(31), true));
	}

	@Test
	void refusedThenAsBefore() {
		Renewer renewed = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		renewed.lengthen(new LeaseTerm(Duration.ofSeconds(31), true), 10 * SECOND, NOW);
		renewed.refused();
		assertThat(renewed.term()).isEqualTo(RENEWED);
		assertThat(renewed.scheduled()).isTrue();
		Renewer fixed = new Renewer(FIXED, NOW, new Backoff(() -> 0.5));
		LeaseTerm granted = new LeaseTerm(Duration.ofSeconds(40), false);
		fixed.extend(granted, 10 * SECOND, NOW);
		fixed.confirmed(NOW, 40 * SECOND);
		fixed.extend(new LeaseTerm(Duration.ofSeconds(50), false), 10 * SECOND, NOW);
		fixed.refused();
		assertThat(fixed.term()).isEqualTo(granted);
		assertThat(fixed.scheduled()).isFalse();
	}

	@Test
	void longestThenNeverShorterThanWhatWasRequested() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		assertThat(renewer.longest()).isEqualTo(RENEWED);
		LeaseTerm longer = new LeaseTerm(Duration.ofSeconds(31), false);
		renewer.requested(longer);
		renewer.requested(new LeaseTerm(Duration.ofSeconds(31), true));
		assertThat(renewer.longest()).isSameAs(longer);
		renewer.requested(RENEWED);
		assertThat(renewer.longest()).isSameAs(longer);
	}

	@Test
	void certainMillisThenTheShortestThatMayStillBeExecuted() {
		Renewer renewer = new Renewer(RENEWED, NOW, new Backoff(() -> 0.5));
		LeaseTerm shorter = new LeaseTerm(Duration.ofSeconds(5), true);
		renewer.requested(shorter);
		renewer.requested(RENEWED);
		assertThat(renewer.certainMillis(RENEWED, 30_000)).isEqualTo(5000);
		assertThat(renewer.certainMillis(shorter, 30_000)).isEqualTo(30_000);
	}

}
