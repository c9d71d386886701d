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
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which readers are due while the lease that they share goes on. */
class ReaderGroupTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long LATEST = 90 * SECOND;

	private static final LeaseTerm RENEWED = new LeaseTerm(Duration.ofSeconds(30), true);

	private final EngineClock clock = new EngineClock(new ModelClock());

	private final long start = this.clock.nanoTime();

	private final StoreLease lease = new StoreLease(new RequestId("one", 1), new Grant(7, 1, 120_000, 0), RENEWED,
			this.start, this.start + 100 * SECOND, 0, this.clock, new Backoff(() -> 0.5));

	private final ReaderGroup group = new ReaderGroup("stock:42", this.lease, 7, true, this.clock);

	private Hold admit(LeaseTerm term, LockOptions options) {
		Waiter reader = new AsyncWaiter(new AcquireOptions(term, Sharing.SHARED, SECOND, "", options), this.start,
				(waiter, outcome) -> {
				});
		return this.group.admit(reader.owner(), this.start);
	}

	private Hold fixed(int seconds) {
		return admit(new LeaseTerm(Duration.ofSeconds(seconds), false), LockOptions.NONE);
	}

	private long at(int seconds) {
		return this.start + seconds * SECOND;
	}

	private long due() {
		return this.group.dueBy(this.start + LATEST, SECOND);
	}

	@Test
	void expiredThenEachWhenItsOwnLeaseEnds() {
		Hold later = fixed(20);
		admit(RENEWED, LockOptions.NONE);
		Hold sooner = fixed(10);
		assertThat(this.group.expired(at(9))).isEmpty();
		assertThat(due()).isBetween(at(9), at(10));
		assertThat(this.group.expired(at(10))).containsExactly(sooner);
		this.group.leave(sooner);
		assertThat(this.group.expired(at(19))).isEmpty();
		assertThat(due()).isBetween(at(19), at(20));
		assertThat(this.group.expired(at(20))).containsExactly(later);
		this.group.leave(later);
		assertThat(this.group.expired(at(21))).isEmpty();
		assertThat(due()).isEqualTo(this.start + LATEST);
	}

	@Test
	void overrunThenEachOnce() {
		Hold later = admit(RENEWED, LockOptions.NONE.withMaxHold(Duration.ofSeconds(20)));
		Hold sooner = admit(RENEWED, LockOptions.NONE.withMaxHold(Duration.ofSeconds(10)));
		assertThat(due()).isEqualTo(at(10));
		assertThat(this.group.overrun(at(10))).containsExactly(sooner);
		assertThat(this.group.overrun(at(11))).isEmpty();
		assertThat(due()).isEqualTo(at(20));
		assertThat(this.group.overrun(at(20))).containsExactly(later);
		assertThat(due()).isEqualTo(this.start + LATEST);
	}

	@Test
	void expiredWhenTheLeaseEndsThenAll() {
		Hold first = admit(RENEWED, LockOptions.NONE);
		Hold second = admit(RENEWED, LockOptions.NONE);
		assertThat(this.group.expired(at(101))).containsExactly(first, second);
	}

}
