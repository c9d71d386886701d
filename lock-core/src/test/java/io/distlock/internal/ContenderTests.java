package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a request is repeated or given up, and what its grant is worth. */
class ContenderTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long TIMEOUT = 1000 * MILLI;

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private static final AcquireResult.Queued QUEUED = new AcquireResult.Queued(5000, Duration.ofMillis(500), null);

	private final Contender contender = new Contender(new RequestId("one", 1), waiter(Duration.ofSeconds(30)), true, 1,
			new Backoff(() -> 0.5));

	private static Waiter waiter(Duration lease) {
		return new AsyncWaiter(new Wish(new Lease(lease, true), 0, 1, "", LockOptions.NONE), NOW, (outcome) -> {
		});
	}

	@Test
	void sentThenGivenUpAfterTheTimeoutAndNotRepeatedBefore() {
		this.contender.sent(NOW);
		assertThat(this.contender.unanswered()).isTrue();
		assertThat(this.contender.sendDue(NOW + TIMEOUT)).isFalse();
		assertThat(this.contender.due(TIMEOUT)).isEqualTo(NOW + TIMEOUT);
		assertThat(this.contender.givenUp(NOW + TIMEOUT - 1, TIMEOUT)).isFalse();
		assertThat(this.contender.givenUp(NOW + TIMEOUT, TIMEOUT)).isTrue();
	}

	@Test
	void failedThenRepeatedSoonButGivenUpFromTheFirstTry() {
		this.contender.sent(NOW);
		LockStoreException failure = new LockStoreException("", "broken", null);
		this.contender.failed(NOW, failure);
		assertThat(this.contender.lastFailure()).isSameAs(failure);
		long next = this.contender.due(TIMEOUT);
		assertThat(next - NOW).isBetween(5 * MILLI, 10 * MILLI);
		assertThat(this.contender.sendDue(next - 1)).isFalse();
		assertThat(this.contender.sendDue(next)).isTrue();
		this.contender.sent(next);
		assertThat(this.contender.due(TIMEOUT)).isEqualTo(NOW + TIMEOUT);
		this.contender.failed(NOW + TIMEOUT - 1, failure);
		assertThat(this.contender.due(TIMEOUT)).as("giving up comes first").isEqualTo(NOW + TIMEOUT);
	}

	@Test
	void queuedThenRepeatedAtThePollAndNothingOwed() {
		this.contender.sent(NOW);
		this.contender.failed(NOW, new LockStoreException("", "broken", null));
		this.contender.queued(QUEUED, NOW, NOW + MILLI);
		assertThat(this.contender.unanswered()).isFalse();
		assertThat(this.contender.lastFailure()).isNull();
		assertThat(this.contender.due(TIMEOUT)).isEqualTo(NOW + 501 * MILLI);
		assertThat(this.contender.givenUp(NOW + 10 * TIMEOUT, TIMEOUT)).isFalse();
		assertThat(this.contender.sendDue(NOW + 501 * MILLI - 1)).isFalse();
		assertThat(this.contender.sendDue(NOW + 501 * MILLI)).isTrue();
	}

	@Test
	void queuedThenFailuresBeginAnew() {
		for (int i = 0; i < 10; i++) {
			this.contender.failed(NOW, new LockStoreException("", "broken", null));
		}
		this.contender.queued(QUEUED, NOW, NOW);
		this.contender.failed(NOW, new LockStoreException("", "broken", null));
		assertThat(this.contender.due(TIMEOUT) - NOW).isBetween(5 * MILLI, 10 * MILLI);
	}

	@Test
	void hurryWhenACommandIsUnderWayThenRepeatedOnceItIsAnswered() {
		this.contender.sent(NOW);
		this.contender.hurry(NOW);
		assertThat(this.contender.sendDue(NOW)).isFalse();
		this.contender.queued(QUEUED, NOW, NOW + MILLI);
		assertThat(this.contender.sendDue(NOW + MILLI)).isTrue();
		this.contender.sent(NOW + MILLI);
		this.contender.queued(QUEUED, NOW + MILLI, NOW + 2 * MILLI);
		assertThat(this.contender.sendDue(NOW + 2 * MILLI)).as("once").isFalse();
	}

	@Test
	void hurryWhenNoneIsUnderWayThenNow() {
		this.contender.sent(NOW);
		this.contender.queued(QUEUED, NOW, NOW);
		this.contender.hurry(NOW + MILLI);
		assertThat(this.contender.sendDue(NOW + MILLI)).isTrue();
		this.contender.sent(NOW + MILLI);
		this.contender.queued(QUEUED, NOW, NOW + 2 * MILLI);
		assertThat(this.contender.sendDue(NOW + 2 * MILLI)).isFalse();
	}

	@Test
	void believeUntilWhenNothingTiesTheClocksThenNotAtAll() {
		assertThat(this.contender.believeUntil(new Grant(1, 1, 6500, 5000), NOW)).isEqualTo(NOW);
	}

	@Test
	void believeUntilWhenTheMessageWasSlowThenCountedFromTheSample() {
		this.contender.queued(QUEUED, NOW, NOW);
		Grant grant = new Grant(1, 1, 6500, 5000);
		assertThat(this.contender.believeUntil(grant, NOW + 400 * MILLI)).isEqualTo(LocalDeadline.after(NOW, 1500));
	}

	@Test
	void believeUntilWhenLessIsLeftThenThat() {
		this.contender.queued(QUEUED, NOW, NOW);
		assertThat(this.contender.believeUntil(new Grant(1, 1, 9000, 8900), NOW + MILLI))
			.isEqualTo(LocalDeadline.after(NOW + MILLI, 100));
	}

	@Test
	void believeUntilWhenTheLeaseIsShorterThanTheClaimThenTheLease() {
		Contender shortLived = new Contender(new RequestId("one", 1), waiter(Duration.ofMillis(300)), true, 1,
				new Backoff(() -> 0.5));
		shortLived.queued(QUEUED, NOW, NOW);
		assertThat(shortLived.believeUntil(new Grant(1, 1, 6500, 5000), NOW)).isEqualTo(LocalDeadline.after(NOW, 300));
	}

}
