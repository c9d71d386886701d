package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LossReason;
import io.distlock.HoldPolicy;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a hold is believed in. */
class HoldTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final ModelClock time = new ModelClock();

	private final EngineClock clock = new EngineClock(this.time);

	private final AsyncWaiter waiter = new AsyncWaiter(
			new Wish(new Lease(Duration.ofSeconds(30), true), SECOND, 1, "", HoldPolicy.NONE), 0, (outcome) -> {
			});

	private final Hold hold = new Hold("stock:42",
			new Tenure(new RequestId("one", 1), new Grant(7, 1, 30_000, 0),
					new Renewal(this.waiter.lease(), 0, new Backoff(() -> 0.5)), 0, 30 * SECOND),
			this.waiter, 20 * SECOND, this.clock);

	@Test
	void isHeldThenUntilTheDeadline() {
		this.time.moveTo(20 * SECOND - 1_000_000_000);
		assertThat(this.hold.isHeld()).isTrue();
		assertThat(this.hold.remaining()).isEqualTo(SECOND);
		this.time.moveTo(20 * SECOND);
		assertThat(this.hold.isHeld()).isFalse();
	}

	@Test
	void isHeldWhenReleasedBeforeItsTimeThenNot() {
		this.hold.release();
		assertThat(this.hold.isHeld()).isFalse();
		assertThat(this.hold.remaining()).isPositive();
	}

	@Test
	void isHeldWhenTakenBeforeItsTimeThenNotAndNeverAgain() {
		this.hold.lose(LossReason.TAKEN);
		assertThat(this.hold.isHeld()).isFalse();
		this.hold.confirmed(30 * SECOND);
		assertThat(this.hold.isHeld()).isFalse();
		assertThat(this.hold.onLost(() -> {
		})).isFalse();
	}

	@Test
	void confirmedThenTheDeadlineOnlyMovesOn() {
		this.hold.confirmed(25 * SECOND);
		assertThat(this.hold.deadline()).isEqualTo(25 * SECOND);
		this.hold.confirmed(24 * SECOND);
		assertThat(this.hold.deadline()).isEqualTo(25 * SECOND);
		this.hold.endNoLaterThan(23 * SECOND);
		assertThat(this.hold.deadline()).isEqualTo(23 * SECOND);
		this.hold.endNoLaterThan(25 * SECOND);
		assertThat(this.hold.deadline()).isEqualTo(23 * SECOND);
	}

	@Test
	void leaveWhenEnteredTwiceThenTheSecondIsTheLast() {
		this.hold.enter(false);
		assertThat(this.hold.leave(false)).isFalse();
		assertThat(this.hold.leave(false)).isTrue();
	}

	private static Waiter reader() {
		Lease lease = new Lease(Duration.ofSeconds(30), true);
		return new AsyncWaiter(new Wish(lease, Sharing.SHARED, SECOND, 1, "", HoldPolicy.NONE), 0, (outcome) -> {
		});
	}

	@Test
	void enteredThenToldApart() {
		assertThat(this.hold.entered(false)).isTrue();
		assertThat(this.hold.entered(true)).isFalse();
		this.hold.enter(true);
		assertThat(this.hold.leave(false)).isFalse();
		assertThat(this.hold.entered(false)).isFalse();
		assertThat(this.hold.entered(true)).isTrue();
		assertThat(this.hold.leave(true)).isTrue();
	}

	@Test
	void shareWithThenFollowsUntilItsOwnLeaseEnds() {
		Hold shared = this.hold.shareWith(reader(), 22 * SECOND, 0);
		assertThat(shared.deadline()).isEqualTo(20 * SECOND);
		assertThat(shared.fencingToken()).isEqualTo(this.hold.fencingToken());
		assertThat(shared.entered(true)).isTrue();
		this.hold.confirmed(21 * SECOND);
		shared.follow(this.hold);
		assertThat(shared.deadline()).isEqualTo(21 * SECOND);
		this.hold.confirmed(25 * SECOND);
		shared.follow(this.hold);
		assertThat(shared.deadline()).isEqualTo(22 * SECOND);
		shared.capNoSoonerThan(21 * SECOND);
		shared.follow(this.hold);
		assertThat(shared.deadline()).isEqualTo(22 * SECOND);
		shared.capNoSoonerThan(30 * SECOND);
		shared.follow(this.hold);
		assertThat(shared.deadline()).isEqualTo(25 * SECOND);
	}

	@Test
	void followWhenTheOwnerIsGoneThenNoLonger() throws InterruptedException {
		Waiter[] created = new Waiter[1];
		Thread owner = new Thread(() -> created[0] = new ThreadWaiter(
				new Wish(new Lease(Duration.ofSeconds(30), true), Sharing.SHARED, 0, 1, "", HoldPolicy.NONE),
				this.clock, false));
		owner.start();
		owner.join();
		Hold orphan = this.hold.shareWith(created[0], 40 * SECOND, 0);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
		this.hold.confirmed(25 * SECOND);
		orphan.follow(this.hold);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
		this.hold.endNoLaterThan(19 * SECOND);
		orphan.follow(this.hold);
		assertThat(orphan.deadline()).isEqualTo(19 * SECOND);
	}

	@Test
	void extensionBegunAfterThenOnlyAnswersToWhatWasSentSince() {
		assertThat(this.hold.extensionBegunAfter(0)).isFalse();
		this.hold.addExtension(this.waiter, SECOND);
		assertThat(this.hold.extensionBegunAfter(SECOND - 1)).isTrue();
		assertThat(this.hold.extensionBegunAfter(SECOND)).isFalse();
		this.hold.cancelExtension(this.waiter);
		assertThat(this.hold.extensionBegunAfter(SECOND - 1)).isFalse();
		assertThat(this.hold.takeExtensions()).isEmpty();
	}

	@Test
	void lossFoundAtReleaseThenOnlyIfItIsProvedInGoodTime() {
		assertThat(this.hold.lossFoundAtRelease(FinishResult.RELEASED, true)).isNull();
		assertThat(this.hold.lossFoundAtRelease(FinishResult.UNKNOWN, false)).isNull();
		assertThat(this.hold.lossFoundAtRelease(FinishResult.UNKNOWN, true)).isNotNull();
		this.time.moveTo(20 * SECOND);
		assertThat(this.hold.lossFoundAtRelease(FinishResult.UNKNOWN, true)).isNull();
	}

}
