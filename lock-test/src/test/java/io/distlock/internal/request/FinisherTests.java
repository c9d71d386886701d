package io.distlock.internal.request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.LockSettings;
import io.distlock.internal.Deaf;
import io.distlock.internal.ModelClock;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.monitor.QuietMonitor;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.stores.LockTemplates;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is ended in the store, how long that is tried, and what its answer proves. */
class FinisherTests {

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final LeaseTerm TERM = new LeaseTerm(Duration.ofSeconds(30), true);

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockStore store = new InMemoryLockStore(new InMemoryLockServer(this.clock, Runnable::run));

	private final EngineContext engine = new EngineContext(this.store, LockSettings.DEFAULTS, this.clock, "one",
			LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5);

	private final List<String> ended = new ArrayList<>();

	private final Monitor monitor = new QuietMonitor();

	/** Its hold is valid, so that only a conclusive answer can prove that it was lost. */
	private Release release(long number, Release.Mode mode) {
		AsyncWaiter waiter = new AsyncWaiter(
				new AcquireOptions(TERM, Sharing.EXCLUSIVE, 0, "", LockSettings.DEFAULTS.options()), 0,
				(ended, outcome) -> {
				});
		EngineClock time = new EngineClock(this.clock);
		StoreLease lease = new StoreLease(new RequestId("one", number), new Grant(7, 1, 30_000, 0), TERM, 0,
				20 * SECOND, 0, time, new Backoff(() -> 0.5));
		Hold hold = new Hold("stock:42", lease, waiter.owner(), time);
		CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
		done.whenComplete((nothing, loss) -> this.ended.add((loss != null) ? "lost" : "ended"));
		return new Release(hold, false, mode, this.engine, done);
	}

	private Finisher.Finish finish(long number, long pointlessAt, boolean awaited) {
		return new Finisher.Finish(new RequestId("one", number), pointlessAt,
				release(number, awaited ? Release.Mode.AWAITED : Release.Mode.SENT), new Backoff(() -> 0.5));
	}

	private void confirm(Finisher.Finish finish, FinishResult result) {
		this.monitor.run(() -> finish.confirmed(result, this.monitor));
	}

	@Test
	void beginThenEndedOnceWhenTheStoreAnswered() {
		this.store.start("one", new Deaf());
		Finisher finisher = new Finisher("stock:42", this.engine, this.monitor);
		this.monitor.run(() -> finisher.begin(new RequestId("one", 1), TERM, release(1, Release.Mode.ASYNC)));
		assertThat(this.ended).hasSize(1);
		assertThat(finisher.isEmpty()).isTrue();
		this.monitor.run(finisher::abandonAll);
		assertThat(this.ended).hasSize(1);
	}

	@Test
	void confirmedThenConclusive() {
		confirm(finish(1, NOW, true), FinishResult.RELEASED);
		confirm(finish(2, NOW, true), FinishResult.UNKNOWN);
		assertThat(this.ended).containsExactly("ended", "lost");
	}

	@Test
	void abandonedThenEndedWithoutALoss() {
		Finisher.Finish finish = finish(1, NOW, true);
		this.monitor.run(() -> finish.abandoned(this.monitor));
		assertThat(this.ended).containsExactly("ended");
	}

	@Test
	void confirmedAfterAFailureOrANewerRequestThenProvesNothing() {
		Finisher.Finish failed = finish(1, NOW, true);
		failed.sent(NOW, SECOND);
		failed.failed(NOW, NOW);
		confirm(failed, FinishResult.UNKNOWN);
		Finisher.Finish superseded = finish(2, NOW, true);
		superseded.supersede();
		confirm(superseded, FinishResult.UNKNOWN);
		assertThat(this.ended).containsExactly("ended", "ended");
	}

	@Test
	void sentThenRepeatedAfterTheTimeoutUntilPointless() {
		Finisher.Finish finish = finish(1, NOW + 2 * SECOND, true);
		finish.sent(NOW, SECOND);
		assertThat(finish.sendDue(NOW + SECOND - 1)).isFalse();
		assertThat(finish.sendDue(NOW + SECOND)).isTrue();
		assertThat(finish.due()).isEqualTo(NOW + SECOND);
		assertThat(finish.pointless(NOW + 2 * SECOND - 1)).isFalse();
		assertThat(finish.pointless(NOW + 2 * SECOND)).isTrue();
		finish.sent(NOW + SECOND, 5 * SECOND);
		assertThat(finish.due()).isEqualTo(NOW + 2 * SECOND);
	}

	@Test
	void failedThenRepeatedSoon() {
		Finisher.Finish finish = finish(1, NOW + SECOND, true);
		finish.sent(NOW, SECOND);
		finish.failed(NOW, NOW);
		assertThat(finish.due() - NOW).isBetween(SECOND / 200, SECOND / 100);
	}

	@Test
	void failedWhenALaterCopyIsUnderWayThenThatCopyDecides() {
		Finisher.Finish finish = finish(1, NOW + 10 * SECOND, true);
		finish.sent(NOW, SECOND);
		finish.sent(NOW + SECOND, SECOND);
		finish.failed(NOW + SECOND, NOW);
		assertThat(finish.due()).isEqualTo(NOW + 2 * SECOND);
	}

	/**
	 * Thousands of releases at once: a store that fails them because it has too much to
	 * do must catch up.
	 */
	@Test
	void failedAfterALongTimeThenRepeatedMoreAndMoreRarely() {
		Finisher.Finish finish = finish(1, NOW + 100 * SECOND, true);
		long now = NOW;
		List<Long> pauses = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			finish.sent(now, SECOND);
			now += SECOND / 3;
			finish.failed(now, now - SECOND / 3);
			pauses.add((finish.due() - now) * 10 / SECOND);
			now = finish.due();
		}
		assertThat(pauses).containsExactly(0L, 3L, 5L, 5L, 5L, 5L, 5L);
	}

	@Test
	void replacedByANewerOneThatTakesOverItsTime() {
		Finisher.Finish newer = finish(2, NOW, false);
		assertThat(finish(1, NOW + SECOND, false).replacedBy(newer)).isTrue();
		assertThat(newer.pointless(NOW + SECOND - 1)).isFalse();
		assertThat(finish(1, NOW, false).replacedBy(newer)).isTrue();
		assertThat(newer.pointless(NOW + SECOND - 1)).isFalse();
		assertThat(finish(2, NOW, false).replacedBy(newer)).isFalse();
	}

	@Test
	void replacedByWhenACallerWaitsOrItIsNewerThenNotAndNothingIsTakenOver() {
		Finisher.Finish newer = finish(2, NOW, false);
		assertThat(finish(1, NOW + SECOND, true).replacedBy(newer)).isFalse();
		assertThat(finish(3, NOW + SECOND, false).replacedBy(newer)).isFalse();
		assertThat(newer.pointless(NOW)).isTrue();
	}

	/** A writer may have been queued while readers of its process hold the lock. */
	@Test
	void replacedByWhenOfAnotherParticipantThenNot() {
		Finisher.Finish readers = finish(1, NOW, false);
		Finisher.Finish writer = new Finisher.Finish(new RequestId("one", RequestId.WRITER, 2), NOW, null,
				new Backoff(() -> 0.5));
		assertThat(readers.replacedBy(writer)).isFalse();
		assertThat(readers.replacedBy(finish(2, NOW, false))).isTrue();
	}

	@Test
	void supersedeThenOnlyWhatIsOfTheSameParticipant() {
		Finisher.Finish finish = finish(1, NOW, true);
		finish.supersede(new RequestId("one", RequestId.WRITER, 2));
		confirm(finish, FinishResult.UNKNOWN);
		Finisher.Finish ended = finish(1, NOW, true);
		ended.supersede(new RequestId("one", 2));
		confirm(ended, FinishResult.UNKNOWN);
		assertThat(this.ended).containsExactly("lost", "ended");
	}

	@Test
	void nanosOfALeaseTermThenOfWholeMilliseconds() {
		assertThat(new LeaseTerm(Duration.ofNanos(1_999_999), true).nanos()).isEqualTo(1_000_000);
		assertThat(new LeaseTerm(Duration.ofDays(1_000_000), true).nanos())
			.isEqualTo(Long.MAX_VALUE / 8_000_000 * 1_000_000);
	}

}
