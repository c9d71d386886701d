package io.distlock.internal.request;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.LockStoreException;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a request is repeated or given up, and what its grant is worth. */
class AcquireRequestTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long TIMEOUT = 1000 * MILLI;

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private static final AcquireResult.Queued QUEUED = new AcquireResult.Queued(5000, Duration.ofMillis(500), null);

	private final AcquireRequest request = new AcquireRequest(new RequestId("one", 1), waiter(Duration.ofSeconds(30)),
			true, 1, new Backoff(() -> 0.5));

	private static Waiter waiter(Duration lease) {
		return new AsyncWaiter(
				new AcquireOptions(new LeaseTerm(lease, true), Sharing.EXCLUSIVE, 0, "", LockOptions.NONE), NOW,
				(waiter, outcome) -> {
				});
	}

	@Test
	void sentThenGivenUpAfterTheTimeoutAndNotRepeatedBefore() {
		this.request.sent(NOW, 0, TIMEOUT);
		assertThat(this.request.unanswered()).isTrue();
		assertThat(this.request.sendDue(NOW + TIMEOUT)).isFalse();
		assertThat(this.request.givenUp(NOW + TIMEOUT - MILLI)).isFalse();
		assertThat(this.request.givenUp(NOW + TIMEOUT)).isTrue();
	}

	@Test
	void givenUpWhenTheStoreHasConnectedMeanwhileThenNotBeforeWhatItWasAllowed() {
		this.request.sent(NOW, 0, 5 * TIMEOUT);
		this.request.failed(NOW + TIMEOUT, new TransientStoreException("stock:42", "broken", null));
		this.request.sent(NOW + 2 * TIMEOUT, 0, TIMEOUT);
		assertThat(this.request.givenUp(NOW + 5 * TIMEOUT - MILLI)).isFalse();
		assertThat(this.request.givenUp(NOW + 5 * TIMEOUT)).isTrue();
	}

	@Test
	void failedThenRepeatedSoonButGivenUpFromTheFirstTry() {
		this.request.sent(NOW, 0, TIMEOUT);
		LockStoreException failure = new LockStoreException("", "broken", null);
		this.request.failed(NOW, failure);
		assertThat(this.request.lastFailure()).isSameAs(failure);
		assertThat(this.request.sendDue(NOW)).isFalse();
		long next = NOW + 10 * MILLI;
		assertThat(this.request.sendDue(next)).isTrue();
		this.request.sent(next, 0, TIMEOUT);
		this.request.failed(NOW + TIMEOUT - MILLI, failure);
		assertThat(this.request.due()).as("giving up comes first").isEqualTo(NOW + TIMEOUT);
		assertThat(this.request.givenUp(NOW + TIMEOUT)).isTrue();
	}

	@Test
	void queuedThenRepeatedAtThePollAndNothingOwed() {
		this.request.sent(NOW, 0, TIMEOUT);
		this.request.failed(NOW, new LockStoreException("", "broken", null));
		this.request.queued(QUEUED, NOW, NOW + MILLI);
		assertThat(this.request.unanswered()).isFalse();
		assertThat(this.request.lastFailure()).isNull();
		assertThat(this.request.givenUp(NOW + 10 * TIMEOUT)).isFalse();
		assertThat(this.request.sendDue(NOW + 400 * MILLI)).isFalse();
		assertThat(this.request.sendDue(NOW + 501 * MILLI)).isTrue();
	}

	@Test
	void queuedThenFailuresBeginAnew() {
		for (int i = 0; i < 10; i++) {
			this.request.failed(NOW, new LockStoreException("", "broken", null));
		}
		this.request.queued(QUEUED, NOW, NOW);
		this.request.sent(NOW, 0, TIMEOUT);
		this.request.failed(NOW, new LockStoreException("", "broken", null));
		assertThat(this.request.sendDue(NOW + 10 * MILLI)).as("as soon as after the first one").isTrue();
	}

	@Test
	void hurryWhenACommandIsUnderWayThenRepeatedOnceItIsAnswered() {
		this.request.sent(NOW, 0, TIMEOUT);
		this.request.hurry(NOW);
		assertThat(this.request.sendDue(NOW)).isFalse();
		this.request.queued(QUEUED, NOW, NOW + MILLI);
		assertThat(this.request.sendDue(NOW + MILLI)).isTrue();
		this.request.sent(NOW + MILLI, 0, TIMEOUT);
		this.request.queued(QUEUED, NOW + MILLI, NOW + 2 * MILLI);
		assertThat(this.request.sendDue(NOW + 2 * MILLI)).as("once").isFalse();
	}

	@Test
	void hurryWhenNoneIsUnderWayThenNow() {
		this.request.sent(NOW, 0, TIMEOUT);
		this.request.queued(QUEUED, NOW, NOW);
		this.request.hurry(NOW + MILLI);
		assertThat(this.request.sendDue(NOW + MILLI)).isTrue();
		this.request.sent(NOW + MILLI, 0, TIMEOUT);
		this.request.queued(QUEUED, NOW, NOW + 2 * MILLI);
		assertThat(this.request.sendDue(NOW + 2 * MILLI)).isFalse();
	}

	@Test
	void certainMillisWhenTheStoresClockWasSetBackThenNoMoreThanWasRequested() {
		assertThat(this.request.certainMillis(new Grant(1, 1, 35_000, 6000))).isEqualTo(29_000);
		assertThat(this.request.certainMillis(new Grant(1, 1, 35_000, 4000))).isEqualTo(30_000);
	}

	@Test
	void validUntilWhenNothingTiesTheClocksThenNotAtAll() {
		assertThat(this.request.validUntil(new Grant(1, 1, 6500, 5000), NOW)).isEqualTo(NOW);
	}

	@Test
	void validUntilWhenTheMessageWasSlowThenCountedFromTheSample() {
		this.request.queued(QUEUED, NOW, NOW);
		Grant grant = new Grant(1, 1, 6500, 5000);
		assertThat(this.request.validUntil(grant, NOW + 400 * MILLI)).isEqualTo(LocalDeadline.after(NOW, 1500));
	}

	@Test
	void validUntilWhenItIsTheSecondMessageThenNotAtAll() {
		Grant grant = new Grant(1, 1, 6500, 5000);
		assertThat(this.request.validUntil(grant, NOW)).as("not queued yet").isEqualTo(NOW);
		this.request.queued(QUEUED, NOW, NOW);
		assertThat(this.request.validUntil(grant, NOW + MILLI)).isEqualTo(NOW + MILLI);
	}

	@Test
	void validUntilWhenTheMessageIsFromTheFutureThenNotAtAll() {
		this.request.queued(QUEUED, NOW, NOW);
		assertThat(this.request.validUntil(new Grant(1, 1, 8502, 7002), NOW + 1000 * MILLI))
			.isEqualTo(NOW + 1000 * MILLI);
	}

	@Test
	void validUntilWhenTheClockOfTheStoreIsALittleAheadThenBelieved() {
		this.request.queued(QUEUED, NOW, NOW);
		assertThat(this.request.validUntil(new Grant(1, 1, 8500, 7000), NOW + 1000 * MILLI))
			.isEqualTo(LocalDeadline.after(NOW + 1000 * MILLI, 1500));
	}

	@Test
	void validUntilWhenLessIsLeftThenThat() {
		this.request.queued(QUEUED, NOW, NOW);
		assertThat(this.request.validUntil(new Grant(1, 1, 9000, 8900), NOW + 3500 * MILLI))
			.isEqualTo(LocalDeadline.after(NOW + 3500 * MILLI, 100));
	}

}
