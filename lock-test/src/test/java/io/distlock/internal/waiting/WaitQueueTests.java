package io.distlock.internal.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.internal.ModelClock;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.monitor.QuietMonitor;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Those who wait: their order, and the end of their time. */
class WaitQueueTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private static final long NEVER = NOW + TimeUnit.DAYS.toNanos(1000);

	private final Monitor monitor = new QuietMonitor();

	private final WaitQueue queue = new WaitQueue(this.monitor);

	private final List<Outcome> told = new ArrayList<>();

	private Waiter async(long waitNanos) {
		return new AsyncWaiter(wish(waitNanos), NOW, (waiter, outcome) -> this.told.add(outcome));
	}

	private static Waiter thread(long waitNanos) {
		return new ThreadWaiter(Thread.currentThread(), wish(waitNanos), new ModelClock(), false);
	}

	private static AcquireOptions wish(long waitNanos) {
		return new AcquireOptions(new LeaseTerm(Duration.ofSeconds(30), true), Sharing.EXCLUSIVE, waitNanos, "",
				LockOptions.NONE);
	}

	private Waiter added(Waiter waiter) {
		this.queue.add(waiter);
		return waiter;
	}

	@Test
	void patienceThenWhatIsLeftOfTheWaitingTimeOrUntilTheAnswer() {
		assertThat(thread(SECOND).callingThread().patienceNanos()).isEqualTo(SECOND);
		assertThat(thread(0).callingThread().patienceNanos()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void anyPatientThenWhoWaitsAtAll() {
		added(async(0));
		assertThat(this.queue.anyPatient()).isFalse();
		added(async(1));
		assertThat(this.queue.anyPatient()).isTrue();
	}

	@Test
	void timedOutThenThoseWhoseTimeIsOverAndNotBefore() {
		Waiter late = added(async(2 * SECOND));
		Waiter early = added(async(SECOND));
		assertThat(this.queue.dueBy(NEVER)).isEqualTo(NOW + SECOND);
		assertThat(this.queue.timedOut(NOW + SECOND - 1)).isEmpty();
		assertThat(this.queue.timedOut(NOW + SECOND)).containsExactly(early);
		early.markOverdue();
		assertThat(this.queue.dueBy(NEVER)).isEqualTo(NOW + 2 * SECOND);
		assertThat(this.queue.timedOut(NOW + 2 * SECOND)).as("once").containsExactly(late);
		late.markOverdue();
		assertThat(this.queue.dueBy(NEVER)).isEqualTo(NEVER);
		assertThat(this.queue.timedOut(NOW + 3 * SECOND)).isEmpty();
	}

	@Test
	void dueByWhenPlatformThreadsWatchTheirOwnTimeThenNoTimeout() {
		added(thread(SECOND));
		assertThat(this.queue.dueBy(NEVER)).isEqualTo(NEVER);
		added(async(SECOND));
		assertThat(this.queue.dueBy(NEVER)).isEqualTo(NOW + SECOND);
		assertThat(this.queue.dueBy(NOW)).isEqualTo(NOW);
		assertThat(this.queue.timedOut(NOW + SECOND)).hasSize(1).noneMatch((waiter) -> waiter.owner().thread() != null);
	}

	@Test
	void dueByWhenAllHaveGoneThenNoTimeout() {
		this.queue.remove(added(async(SECOND)));
		assertThat(this.queue.dueBy(NEVER)).isEqualTo(NEVER);
	}

	@Test
	void refuseOverdueThenOnlyThoseWhoseTimeIsOver() {
		Waiter early = added(async(SECOND));
		Waiter late = added(async(SECOND + 1));
		this.monitor.run(() -> this.queue.refuseOverdue(NOW + SECOND, null));
		assertThat(this.told).containsExactly(new Outcome.Busy(null));
		assertThat(early.ended()).isTrue();
		assertThat(late.ended()).isFalse();
		assertThat(this.queue.first()).isSameAs(late);
	}

	@Test
	void failOverdueThenOnlyThoseWhoseTimeIsOver() {
		IllegalStateException failure = new IllegalStateException("away");
		added(async(SECOND));
		Waiter late = added(async(SECOND + 1));
		this.monitor.run(() -> this.queue.failOverdue(NOW + SECOND, failure));
		assertThat(this.told).containsExactly(new Outcome.Failed(failure));
		assertThat(this.queue.first()).isSameAs(late);
		this.monitor.run(() -> this.queue.failAll(failure));
		assertThat(this.told).hasSize(2);
		assertThat(this.queue.isEmpty()).isTrue();
	}

}
