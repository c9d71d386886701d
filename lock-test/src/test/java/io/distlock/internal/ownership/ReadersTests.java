package io.distlock.internal.ownership;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.internal.ModelClock;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which readers may join, and which are due while the lease that they share goes on. */
class ReadersTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long LATEST = 90 * SECOND;

	private static final LeaseTerm RENEWED = new LeaseTerm(Duration.ofSeconds(30), true);

	private final ModelClock time = new ModelClock();

	private final EngineClock clock = new EngineClock(this.time);

	private final long start = this.clock.nanoTime();

	private final StoreLease lease = lease(RENEWED, 100);

	private final Readers readers = new Readers("stock:42", this.lease, 7, this.clock);

	private StoreLease lease(LeaseTerm term, int seconds) {
		return new StoreLease(new RequestId("one", 1), new Grant(7, 1, 120_000, 0), term, this.start,
				this.start + seconds * SECOND, 0, this.clock, new Backoff(() -> 0.5));
	}

	private Waiter reader(LeaseTerm term, LockOptions options) {
		return new AsyncWaiter(new AcquireOptions(term, Sharing.SHARED, SECOND, "", options), this.start,
				(waiter, outcome) -> {
				});
	}

	private Hold admit(LeaseTerm term, LockOptions options) {
		return this.readers.admit(reader(term, options).owner(), this.start);
	}

	private @Nullable Hold join(Waiter reader) {
		return this.readers.join(reader, true);
	}

	private void confirmed(long sentAt) {
		this.lease.confirmed(sentAt, 0, new RenewResult.Renewed(new Grant(7, 1, 120_000, 0), 0));
		this.readers.confirmed(sentAt, 0);
	}

	private Hold fixed(int seconds) {
		return admit(new LeaseTerm(Duration.ofSeconds(seconds), false), LockOptions.NONE);
	}

	private long at(int seconds) {
		return this.start + seconds * SECOND;
	}

	private long due() {
		return this.readers.dueBy(this.start + LATEST);
	}

	@Test
	void expiredThenEachWhenItsOwnLeaseEnds() {
		Hold later = fixed(20);
		admit(RENEWED, LockOptions.NONE);
		Hold sooner = fixed(10);
		assertThat(this.readers.expired(at(9))).isEmpty();
		assertThat(due()).isBetween(at(9), at(10));
		assertThat(this.readers.expired(at(10))).containsExactly(sooner);
		this.readers.leave(sooner);
		assertThat(this.readers.expired(at(19))).isEmpty();
		assertThat(due()).isBetween(at(19), at(20));
		assertThat(this.readers.expired(at(20))).containsExactly(later);
		this.readers.leave(later);
		assertThat(this.readers.expired(at(21))).isEmpty();
		assertThat(due()).isEqualTo(this.start + LATEST);
	}

	@Test
	void overrunThenEachOnce() {
		Hold later = admit(RENEWED, LockOptions.NONE.withMaxHold(Duration.ofSeconds(20)));
		Hold sooner = admit(RENEWED, LockOptions.NONE.withMaxHold(Duration.ofSeconds(10)));
		assertThat(due()).isEqualTo(at(10));
		assertThat(this.readers.overrun(at(10))).containsExactly(sooner);
		assertThat(this.readers.overrun(at(11))).isEmpty();
		assertThat(due()).isEqualTo(at(20));
		assertThat(this.readers.overrun(at(20))).containsExactly(later);
		assertThat(due()).isEqualTo(this.start + LATEST);
	}

	@Test
	void expiredWhenTheLeaseEndsThenAll() {
		Hold first = admit(RENEWED, LockOptions.NONE);
		Hold second = admit(RENEWED, LockOptions.NONE);
		assertThat(this.readers.expired(at(101))).containsExactly(first, second);
	}

	@Test
	void joinWhenTheLastAnswerIsOldThenAsksFirst() {
		this.lease.share();
		admit(RENEWED, LockOptions.NONE);
		assertThat(join(reader(RENEWED, LockOptions.NONE))).isNotNull();
		this.time.moveTo(at(1));
		Waiter late = reader(RENEWED, LockOptions.NONE);
		assertThat(join(late)).isNull();
		assertThat(this.readers.answerOwed()).isTrue();
		assertThat(this.lease.renewals().due(at(1))).isTrue();
		confirmed(at(1));
		assertThat(join(late)).isNotNull();
	}

	@Test
	void joinWhenOthersWaitThenAsksTwiceASecond() {
		admit(RENEWED, LockOptions.NONE);
		confirmed(this.start);
		this.lease.handOffs().contended(this.start);
		long soon = this.start + TimeUnit.MILLISECONDS.toNanos(10);
		this.time.moveTo(soon);
		assertThat(join(reader(RENEWED, LockOptions.NONE))).isNull();
		assertThat(this.readers.answerOwed()).as("the last answer is recent").isFalse();
		assertThat(this.lease.renewals().nextSend() - this.start).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
	}

	@Test
	void confirmedWhenSentBeforeTheQuestionThenAnswerStillOwed() {
		admit(RENEWED, LockOptions.NONE);
		this.time.moveTo(at(2));
		join(reader(RENEWED, LockOptions.NONE));
		confirmed(at(2) - 1);
		assertThat(this.readers.answerOwed()).isTrue();
		confirmed(at(2));
		assertThat(this.readers.answerOwed()).isFalse();
	}

	@Test
	void joinWhenAnsweredThenTheOneThatAsked() {
		StoreLease brief = lease(new LeaseTerm(Duration.ofSeconds(10), false), 10);
		Readers together = new Readers("stock:42", brief, 7, this.clock);
		LeaseTerm longer = new LeaseTerm(Duration.ofSeconds(20), false);
		together.admit(reader(longer, LockOptions.NONE).owner(), this.start);
		Waiter asking = reader(longer, LockOptions.NONE);
		assertThat(together.join(asking, true)).as("the lease is too short").isNull();
		brief.confirmed(this.start, 0, new RenewResult.Renewed(new Grant(7, 1, 20_000, 0), 0));
		together.confirmed(this.start, 0);
		assertThat(together.join(reader(longer, LockOptions.NONE), false)).as("it has not asked").isNull();
		assertThat(together.join(asking, true)).isNotNull();
	}

	@Test
	void answerWhenMissingThenOverdueAndAskedForAgain() {
		admit(RENEWED, LockOptions.NONE);
		this.time.moveTo(at(2));
		Waiter asking = reader(RENEWED, LockOptions.NONE);
		join(asking);
		assertThat(this.readers.answerDueBy(at(90), SECOND)).isEqualTo(at(3));
		assertThat(this.readers.missAnswer(at(3) - 1, SECOND)).isFalse();
		assertThat(this.readers.missAnswer(at(3), SECOND)).isTrue();
		assertThat(this.readers.answerDueBy(at(90), SECOND)).isEqualTo(at(90));
		join(asking);
		assertThat(this.readers.answerOwed()).isTrue();
	}

}
