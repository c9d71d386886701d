package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a hold is renewed, and with which lease. */
class RenewalScheduleTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final Lease RENEWED = new Lease(Duration.ofSeconds(30), true);

	private static final Lease FIXED = new Lease(Duration.ofSeconds(30), false);

	/** Steps of renewals every 10 s. */
	private static final long STEP = SECOND / 4;

	private static final long NOW = 1234 * SECOND + 1;

	@Test
	void nextSendThenAtAThirdInSteps() {
		Renewal renewal = new Renewal(RENEWED, NOW, new Backoff(() -> 0.5));
		assertThat(renewal.nextSend()).isEqualTo(1244 * SECOND);
		assertThat(new Renewal(RENEWED, NOW + STEP - 2, new Backoff(() -> 0.5)).nextSend()).isEqualTo(1244 * SECOND);
		assertThat(new Renewal(RENEWED, NOW + STEP - 1, new Backoff(() -> 0.5)).nextSend())
			.isEqualTo(1244 * SECOND + STEP);
		assertThat(renewal.due(1244 * SECOND - 1)).isFalse();
		assertThat(renewal.due(1244 * SECOND)).isTrue();
	}

	@Test
	void nextSendWhenTheLeaseIsTinyThenWithoutSteps() {
		assertThat(new Renewal(new Lease(Duration.ZERO, true), NOW, new Backoff(() -> 0.5)).nextSend()).isEqualTo(NOW);
	}

	@Test
	void dueWhenFixedThenOnlyIfAskedFor() {
		Renewal renewal = new Renewal(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(renewal.due(NOW + 30 * SECOND)).isFalse();
		assertThat(renewal.dueBy(NOW)).isEqualTo(NOW);
		assertThat(renewal.dueBy(NOW + 60 * SECOND)).isEqualTo(NOW + 60 * SECOND);
		renewal.hurry(NOW);
		assertThat(renewal.due(NOW)).isTrue();
		assertThat(renewal.dueBy(NOW + 60 * SECOND)).isEqualTo(NOW);
		renewal.confirmed(NOW, 30 * SECOND);
		assertThat(renewal.scheduled()).isFalse();
	}

	@Test
	void sentThenRepeatedAfterTimeoutSixthOfLeaseOrThirdOfTheRest() {
		Renewal renewal = new Renewal(RENEWED, NOW, new Backoff(() -> 0.5));
		renewal.sent(NOW, SECOND, 30 * SECOND);
		assertThat(renewal.nextSend()).isEqualTo(NOW + SECOND);
		renewal.sent(NOW, 20 * SECOND, 30 * SECOND);
		assertThat(renewal.nextSend()).isEqualTo(NOW + 5 * SECOND);
		renewal.sent(NOW, 20 * SECOND, 3 * SECOND);
		assertThat(renewal.nextSend()).isEqualTo(NOW + SECOND);
		renewal.sent(NOW, 20 * SECOND, -3 * SECOND);
		assertThat(renewal.nextSend()).isEqualTo(NOW);
	}

	@Test
	void confirmedThenAtAThirdOfWhatIsLeftAtMostOfTheLease() {
		Renewal renewal = new Renewal(RENEWED, NOW, new Backoff(() -> 0.5));
		renewal.confirmed(NOW, 60 * SECOND);
		assertThat(renewal.nextSend()).isEqualTo(1244 * SECOND);
		renewal.confirmed(1240 * SECOND, 12 * SECOND);
		assertThat(renewal.nextSend()).isEqualTo(1244 * SECOND);
	}

	@Test
	void failedThenSoonAgainAndToldOnce() {
		ModelClock clock = new ModelClock();
		Renewal renewal = new Renewal(RENEWED, 0, new Backoff(() -> 0.5));
		assertThat(renewal.failing()).isFalse();
		assertThat(renewal.failed(clock)).isTrue();
		assertThat(renewal.failing()).isTrue();
		assertThat(renewal.nextSend()).isBetween(SECOND / 200, SECOND / 100);
		assertThat(renewal.failed(clock)).isFalse();
		renewal.confirmed(0, 30 * SECOND);
		assertThat(renewal.failing()).isFalse();
		assertThat(renewal.failed(clock)).isTrue();
	}

	@Test
	void lengthenWhenFixedWithinWhatIsLeftThenNot() {
		Renewal renewal = new Renewal(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(renewal.lengthen(new Lease(Duration.ofSeconds(20), false), 20 * SECOND, NOW)).isFalse();
		assertThat(renewal.lease()).isEqualTo(FIXED);
		assertThat(renewal.scheduled()).isFalse();
	}

	@Test
	void lengthenWhenFixedOutlastsWhatIsLeftThenAskedForAtOnceAndStaysFixed() {
		Renewal renewal = new Renewal(FIXED, NOW, new Backoff(() -> 0.5));
		Lease wish = new Lease(Duration.ofSeconds(21), false);
		assertThat(renewal.lengthen(wish, 20 * SECOND, NOW)).isTrue();
		assertThat(renewal.lease()).isEqualTo(wish);
		assertThat(renewal.due(NOW)).isTrue();
	}

	@Test
	void lengthenWhenNestedIsRenewedThenRenewedFromNowOnAndNotShorter() {
		Renewal renewal = new Renewal(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(renewal.lengthen(new Lease(Duration.ofSeconds(10), true), 20 * SECOND, NOW)).isTrue();
		assertThat(renewal.lease()).isEqualTo(new Lease(Duration.ofSeconds(20), true));
		Renewal even = new Renewal(FIXED, NOW, new Backoff(() -> 0.5));
		assertThat(even.lengthen(new Lease(Duration.ofSeconds(20), true), 20 * SECOND + 1, NOW)).isTrue();
		assertThat(even.lease().duration()).isEqualTo(Duration.ofSeconds(20).plusNanos(1));
	}

	@Test
	void lengthenWhenRenewedThenOnlyForALongerLease() {
		Renewal renewal = new Renewal(RENEWED, NOW, new Backoff(() -> 0.5));
		assertThat(renewal.lengthen(FIXED, 10 * SECOND, NOW)).isFalse();
		assertThat(renewal.due(NOW)).isFalse();
		assertThat(renewal.lengthen(new Lease(Duration.ofSeconds(31), false), 10 * SECOND, NOW)).isTrue();
		assertThat(renewal.lease()).isEqualTo(new Lease(Duration.ofSeconds(31), true));
	}

}
