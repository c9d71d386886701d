package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Those who wait: their order, and the end of their time. */
class WaitingLineTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private static final long NEVER = NOW + TimeUnit.DAYS.toNanos(1000);

	private final Monitor monitor = new Monitor(() -> {
	}, () -> {
	});

	private final WaitingLine line = new WaitingLine(this.monitor);

	private final List<Waiter.Outcome> told = new ArrayList<>();

	private Waiter async(long waitNanos) {
		return new AsyncWaiter(wish(waitNanos), NOW, this.told::add);
	}

	private static Waiter thread(long waitNanos) {
		return new ThreadWaiter(wish(waitNanos), new ModelClock(), false);
	}

	private static Wish wish(long waitNanos) {
		return new Wish(new Lease(Duration.ofSeconds(30), true), waitNanos, 1, "", LockOptions.NONE);
	}

	private Waiter added(Waiter waiter) {
		this.line.add(waiter);
		return waiter;
	}

	@Test
	void addThenFirstComeFirst() {
		Waiter first = added(async(SECOND));
		Waiter second = added(async(SECOND));
		assertThat(this.line.first()).isSameAs(first);
		this.line.remove(first);
		assertThat(this.line.first()).isSameAs(second);
		assertThat(this.line.contains(first)).isFalse();
		assertThat(this.line.contains(second)).isTrue();
		assertThat(this.line.length()).isOne();
		this.line.remove(second);
		assertThat(this.line.isEmpty()).isTrue();
	}

	@Test
	void anyPatientThenWhoWaitsAtAll() {
		added(async(0));
		assertThat(this.line.anyPatient()).isFalse();
		added(async(1));
		assertThat(this.line.anyPatient()).isTrue();
	}

	@Test
	void alarmedThenWhoseTimeIsOverAndNotBefore() {
		Waiter late = added(async(2 * SECOND));
		Waiter early = added(async(SECOND));
		assertThat(this.line.dueBy(NEVER)).isEqualTo(NOW + SECOND);
		assertThat(this.line.alarmed(NOW + SECOND - 1)).isEmpty();
		assertThat(this.line.alarmed(NOW + SECOND)).containsExactly(early);
		early.markOverdue();
		assertThat(this.line.dueBy(NEVER)).isEqualTo(NOW + 2 * SECOND);
		assertThat(this.line.alarmed(NOW + 2 * SECOND)).as("once").containsExactly(late);
		late.markOverdue();
		assertThat(this.line.dueBy(NEVER)).isEqualTo(NEVER);
		assertThat(this.line.alarmed(NOW + 3 * SECOND)).isEmpty();
	}

	@Test
	void dueByWhenPlatformThreadsWatchTheirOwnTimeThenNoAlarm() {
		added(thread(SECOND));
		assertThat(this.line.dueBy(NEVER)).isEqualTo(NEVER);
		added(async(SECOND));
		assertThat(this.line.dueBy(NEVER)).isEqualTo(NOW + SECOND);
		assertThat(this.line.dueBy(NOW)).isEqualTo(NOW);
		assertThat(this.line.alarmed(NOW + SECOND)).hasSize(1).noneMatch((waiter) -> waiter.thread() != null);
	}

	@Test
	void dueByWhenAllHaveGoneThenNoAlarm() {
		this.line.remove(added(async(SECOND)));
		assertThat(this.line.dueBy(NEVER)).isEqualTo(NEVER);
	}

	@Test
	void refuseOverdueThenOnlyThoseWhoseTimeIsOver() {
		Waiter early = added(async(SECOND));
		Waiter late = added(async(SECOND + 1));
		this.monitor.run(() -> this.line.refuseOverdue(NOW + SECOND, null));
		assertThat(this.told).containsExactly(new Waiter.Outcome.Busy(null));
		assertThat(early.ended()).isTrue();
		assertThat(late.ended()).isFalse();
		assertThat(this.line.first()).isSameAs(late);
	}

	@Test
	void failOverdueThenOnlyThoseWhoseTimeIsOver() {
		IllegalStateException failure = new IllegalStateException("away");
		added(async(SECOND));
		Waiter late = added(async(SECOND + 1));
		this.monitor.run(() -> this.line.failOverdue(NOW + SECOND, failure));
		assertThat(this.told).containsExactly(new Waiter.Outcome.Failed(failure));
		assertThat(this.line.first()).isSameAs(late);
		this.monitor.run(() -> this.line.failAll(failure));
		assertThat(this.told).hasSize(2);
		assertThat(this.line.isEmpty()).isTrue();
	}

	@Test
	void refuseThenOutOfLineAndTold() {
		Waiter waiter = added(async(SECOND));
		this.monitor.run(() -> this.line.refuse(waiter, null));
		assertThat(this.told).containsExactly(new Waiter.Outcome.Busy(null));
		assertThat(this.line.isEmpty()).isTrue();
	}

}
