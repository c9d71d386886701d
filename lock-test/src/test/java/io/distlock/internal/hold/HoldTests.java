package io.distlock.internal.hold;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.LossReason;
import io.distlock.internal.ModelClock;
import io.distlock.internal.lease.Confirmed;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
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

	private final AsyncWaiter waiter = new AsyncWaiter(new AcquireOptions(new LeaseTerm(Duration.ofSeconds(30), true),
			Sharing.EXCLUSIVE, SECOND, "", LockOptions.NONE), 0, (waiter, outcome) -> {
			});

	private final StoreLease lease = new StoreLease(new RequestId("one", 1), new Grant(7, 1, 30_000, 0),
			this.waiter.term(), 0, 20 * SECOND, 0, this.clock, new Backoff(() -> 0.5));

	private final Hold hold = new Hold("stock:42", this.lease, this.waiter.owner(), this.clock);

	@Test
	void isHeldWhenTakenBeforeItsTimeThenNotAndNeverAgain() {
		this.hold.lose(LossReason.TAKEN);
		assertThat(this.hold.isHeld()).isFalse();
		Confirmed.until(this.lease, 30 * SECOND, this.clock);
		assertThat(this.hold.isHeld()).isFalse();
		assertThat(this.hold.onLost(() -> {
		})).isFalse();
	}

	@Test
	void keepUntilThenNeverSooner() {
		this.hold.keepUntil(5 * SECOND);
		this.hold.keepUntil(3 * SECOND);
		assertThat(this.hold.minimumUntil()).isEqualTo(5 * SECOND);
	}

	@Test
	void forgottenCallbacksThenDoNotPileUp() {
		Runnable forgotten = () -> {
		};
		Runnable kept = () -> {
		};
		this.hold.onLost(kept);
		for (int i = 0; i < 3; i++) {
			this.hold.onLost(forgotten);
			this.hold.forgetCallbacks((callback) -> callback == forgotten);
		}
		assertThat(this.hold.lose(LossReason.TAKEN)).containsExactly(kept);
		this.hold.forgetCallbacks((callback) -> true);
		assertThat(this.hold.lose(LossReason.TAKEN)).as("on their way already").containsExactly(kept);
	}

	@Test
	void confirmedThenTheDeadlineOnlyMovesOn() {
		Confirmed.until(this.lease, 25 * SECOND, this.clock);
		assertThat(this.hold.deadline()).isEqualTo(25 * SECOND);
		Confirmed.until(this.lease, 24 * SECOND, this.clock);
		assertThat(this.hold.deadline()).isEqualTo(25 * SECOND);
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
	void lossFoundAtReleaseThenOnlyIfItIsProvedInGoodTime() {
		assertThat(this.hold.lossFoundAtRelease(FinishResult.RELEASED, true)).isNull();
		assertThat(this.hold.lossFoundAtRelease(FinishResult.UNKNOWN, false)).isNull();
		assertThat(this.hold.lossFoundAtRelease(FinishResult.UNKNOWN, true)).isNotNull();
		this.time.moveTo(20 * SECOND);
		assertThat(this.hold.lossFoundAtRelease(FinishResult.UNKNOWN, true)).isNull();
	}

}
