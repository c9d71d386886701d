package io.distlock.internal.hold;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.internal.ModelClock;
import io.distlock.internal.lease.Confirmed;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.monitor.QuietMonitor;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.ThreadWaiter;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How long one believes who shares a hold with others. */
class ReaderHoldTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final EngineClock clock = new EngineClock(new ModelClock());

	private final StoreLease lease = new StoreLease(new RequestId("one", 1), new Grant(7, 1, 30_000, 0),
			reader().term(), 0, 20 * SECOND, 0, this.clock, new Backoff(() -> 0.5));

	private final Monitor monitor = new QuietMonitor();

	private static Waiter reader() {
		LeaseTerm lease = new LeaseTerm(Duration.ofSeconds(30), true);
		return new AsyncWaiter(new AcquireOptions(lease, Sharing.SHARED, SECOND, "", LockOptions.NONE), 0,
				(waiter, outcome) -> {
				});
	}

	@Test
	void deadlineWhenItWasAbandonedThenNoLonger() {
		Hold orphan = hold(reader(), 40 * SECOND);
		orphan.abandon();
		extend(orphan, 25 * SECOND);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
	}

	/** An error came between the hold and the waiter's outcome. */
	@Test
	void deadlineWhenItsOwnerNeverGotItThenNoLonger() {
		Hold orphan = Hold.ofReader("stock:42", this.lease, reader().owner(), 7, 40 * SECOND, this.clock);
		extend(orphan, 25 * SECOND);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
	}

	private Hold hold(Waiter taker, long cap) {
		Hold hold = Hold.ofReader("stock:42", this.lease, taker.owner(), 7, cap, this.clock);
		taker.grant(hold, this.monitor);
		return hold;
	}

	/** As if the store had confirmed a renewal. */
	private void extend(Hold reader, long until) {
		long before = this.lease.deadline();
		Confirmed.until(this.lease, until, this.clock);
		reader.leaseExtended(before);
	}

	@Test
	void deadlineThenUntilItsOwnLeaseTimeEnds() {
		Hold reader = hold(reader(), 22 * SECOND);
		assertThat(reader.deadline()).isEqualTo(20 * SECOND);
		assertThat(reader.fencingToken()).isEqualTo(7);
		assertThat(reader.entered(true)).isTrue();
		extend(reader, 21 * SECOND);
		assertThat(reader.deadline()).isEqualTo(21 * SECOND);
		extend(reader, 25 * SECOND);
		assertThat(reader.deadline()).isEqualTo(22 * SECOND);
		reader.capNoSoonerThan(21 * SECOND);
		assertThat(reader.deadline()).isEqualTo(22 * SECOND);
		reader.capNoSoonerThan(30 * SECOND);
		assertThat(reader.deadline()).isEqualTo(25 * SECOND);
	}

	@Test
	void deadlineWhenTheOwnerIsGoneThenNoLonger() throws InterruptedException {
		Waiter[] created = new Waiter[1];
		AcquireOptions options = new AcquireOptions(new LeaseTerm(Duration.ofSeconds(30), true), Sharing.SHARED, 0, "",
				LockOptions.NONE);
		Thread owner = new Thread(
				() -> created[0] = new ThreadWaiter(Thread.currentThread(), options, this.clock, false));
		owner.start();
		owner.join();
		Hold orphan = hold(created[0], 40 * SECOND);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
		extend(orphan, 25 * SECOND);
		assertThat(orphan.deadline()).isEqualTo(20 * SECOND);
	}

}
