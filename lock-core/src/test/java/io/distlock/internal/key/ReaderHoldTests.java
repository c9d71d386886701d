package io.distlock.internal.key;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.internal.ModelClock;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How long one believes who shares a hold with others. */
class ReaderHoldTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final EngineClock clock = new EngineClock(new ModelClock());

	private final Hold hold = new Hold("stock:42",
			new StoreLease(new RequestId("one", 1), new Grant(7, 1, 30_000, 0),
					new Renewer(reader().term(), 0, new Backoff(() -> 0.5)), 0, 30 * SECOND),
			reader(), 20 * SECOND, this.clock);

	private static Waiter reader() {
		LeaseTerm lease = new LeaseTerm(Duration.ofSeconds(30), true);
		return new AsyncWaiter(new AcquireOptions(lease, Sharing.SHARED, SECOND, "", LockOptions.NONE), 0,
				(waiter, outcome) -> {
				});
	}

	@Test
	void followThenUntilItsOwnLeaseEnds() {
		ReaderHold reader = new ReaderHold(this.hold, reader(), 22 * SECOND, 0);
		assertThat(reader.deadline()).isEqualTo(20 * SECOND);
		assertThat(reader.fencingToken()).isEqualTo(this.hold.fencingToken());
		assertThat(reader.entered(true)).isTrue();
		this.hold.confirmed(21 * SECOND);
		reader.follow(this.hold);
		assertThat(reader.deadline()).isEqualTo(21 * SECOND);
		this.hold.confirmed(25 * SECOND);
		reader.follow(this.hold);
		assertThat(reader.deadline()).isEqualTo(22 * SECOND);
		reader.capNoSoonerThan(21 * SECOND);
		reader.follow(this.hold);
		assertThat(reader.deadline()).isEqualTo(22 * SECOND);
		reader.capNoSoonerThan(30 * SECOND);
		reader.follow(this.hold);
		assertThat(reader.deadline()).isEqualTo(25 * SECOND);
	}

	@Test
	void followWhenTheOwnerIsGoneThenNoLonger() throws InterruptedException {
		Waiter[] created = new Waiter[1];
		Thread owner = new Thread(
				() -> created[0] = new ThreadWaiter(new AcquireOptions(new LeaseTerm(Duration.ofSeconds(30), true),
						Sharing.SHARED, 0, "", LockOptions.NONE), this.clock, false));
		owner.start();
		owner.join();
		ReaderHold orphan = new ReaderHold(this.hold, created[0], 40 * SECOND, 0);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
		this.hold.confirmed(25 * SECOND);
		orphan.follow(this.hold);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
		this.hold.endNoLaterThan(19 * SECOND);
		orphan.follow(this.hold);
		assertThat(orphan.deadline()).isEqualTo(19 * SECOND);
	}

}
