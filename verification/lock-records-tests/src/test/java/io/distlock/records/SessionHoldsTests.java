package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletionStage;

import io.distlock.Holder;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.records.MemoryLockRecords;
import io.distlock.test.records.MemoryPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What ends holds that no clock of the place ends, on virtual time. */
class SessionHoldsTests {

	private static final String LOCK = "stock";

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final PriorityQueue<Timer> timers = new PriorityQueue<>();

	private final List<Grant> pushed = new ArrayList<>();

	private final List<RecordLockStore> stores = new ArrayList<>();

	/** Whether nothing can be scheduled. */
	private boolean failing;

	private long nanos = Duration.ofHours(1).toNanos();

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, this::instant,
			(message) -> this.timers.add(new Timer(this.nanos, message)));

	@AfterEach
	void stop() {
		this.stores.forEach(RecordLockStore::stop);
	}

	@Test
	void aGrantThatNobodyConfirmsEndsWithItsLease() {
		RecordLockStore one = store("one", this.place.newRecords());
		RecordLockStore two = store("two", this.place.newRecords());
		RecordLockStore three = store("three", this.place.newRecords());
		assertThat(acquire(one, "one", LEASE)).isInstanceOf(AcquireResult.Granted.class);
		assertThat(acquire(two, "two", Duration.ofMillis(600))).isInstanceOf(AcquireResult.Queued.class);
		finish(one, "one");
		pass(Duration.ofMillis(1));
		assertThat(this.pushed).singleElement().returns(600L, Grant::remainingMillis);
		pass(Duration.ofMillis(590));
		assertThat(acquire(three, "three", LEASE)).isInstanceOf(AcquireResult.Queued.class);
		pass(Duration.ofMillis(100));
		assertThat(acquire(three, "three", LEASE)).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aHoldThatIsRenewedEndsWithItsLastRenewal() {
		RecordLockStore one = store("one", this.place.newRecords());
		RecordLockStore two = store("two", this.place.newRecords());
		acquire(one, "one", LEASE);
		pass(Duration.ofSeconds(20));
		assertThat(renew(one, "one", LEASE)).isInstanceOf(RenewResult.Renewed.class);
		pass(Duration.ofSeconds(29));
		assertThat(acquire(two, "two", LEASE)).isInstanceOf(AcquireResult.Queued.class);
		pass(Duration.ofSeconds(2));
		assertThat(acquire(two, "two", LEASE)).isInstanceOf(AcquireResult.Granted.class);
	}

	/** A shorter lease that came later is ended in its time all the same. */
	@Test
	void eachHoldEndsWithItsOwnLease() {
		RecordLockStore one = store("one", this.place.newRecords());
		RecordLockStore two = store("two", this.place.newRecords());
		for (int i = 30; i > 0; i--) {
			acquire(one, LOCK + i, "one", Duration.ofSeconds(i));
		}
		for (int i = 1; i <= 30; i++) {
			pass(Duration.ofMillis(990));
			assertThat(acquire(two, LOCK + i, "two", LEASE)).as("%s s", i).isInstanceOf(AcquireResult.Queued.class);
			pass(Duration.ofMillis(10));
			assertThat(acquire(two, LOCK + i, "two", LEASE)).as("%s s", i).isInstanceOf(AcquireResult.Granted.class);
		}
	}

	@Test
	void manyHoldsNeedOneTimer() {
		RecordLockStore one = store("one", this.place.newRecords());
		for (int i = 0; i < 1000; i++) {
			assertThat(acquire(one, LOCK + i, "one", LEASE)).isInstanceOf(AcquireResult.Granted.class);
			get(one.finish(LOCK + i, new RequestId("one", 1), Duration.ZERO));
			pass(Duration.ofMillis(1));
		}
		assertThat(this.timers).hasSizeLessThan(3);
		pass(LEASE.multipliedBy(2));
		assertThat(this.timers).as("once nothing is held").isEmpty();
	}

	/** As for want of memory: the next hold is ended in its time all the same. */
	@Test
	void aHoldEndsWithItsLeaseAfterAnErrorKeptAnEarlierOneFromBeingWatched() {
		RecordLockStore one = store("one", this.place.newRecords());
		RecordLockStore two = store("two", this.place.newRecords());
		this.failing = true;
		AcquireCommand failed = command(LOCK + " of nobody", "one", LEASE);
		assertThat(one.acquire(failed).toCompletableFuture()).isCompletedExceptionally();
		this.failing = false;
		assertThat(acquire(one, "one", LEASE)).isInstanceOf(AcquireResult.Granted.class);
		pass(LEASE);
		assertThat(acquire(two, "two", LEASE)).isInstanceOf(AcquireResult.Granted.class);
	}

	/** The command that came meanwhile, and those that come later, are executed. */
	@Test
	void aLockIsUsableAfterAnErrorKeptItsNextCommandFromBeingScheduled() {
		RecordLockStore one = store("one", this.place.newRecords());
		acquire(one, "one", LEASE);
		List<CompletionStage<?>> meanwhile = new ArrayList<>();
		this.place.beforeWrite((key) -> {
			this.failing = true;
			meanwhile.add(one.inspect(LOCK));
		});
		finishDespiteErrors(one);
		this.failing = false;
		get(meanwhile.get(0));
		get(one.inspect(LOCK));
	}

	@Test
	void aMinimumHoldOutlivesItsProcess() {
		MemoryLockRecords dying = this.place.newRecords();
		RecordLockStore one = store("one", dying);
		RecordLockStore two = store("two", this.place.newRecords());
		acquire(one, "one", LEASE);
		assertThat(get(one.finish(LOCK, new RequestId("one", 1), Duration.ofSeconds(40))))
			.isEqualTo(FinishResult.RELEASED);
		one.stop();
		pass(Duration.ofMillis(39_900));
		AcquireResult waiting = acquire(two, "two", LEASE);
		assertThat(waiting).isInstanceOf(AcquireResult.Queued.class);
		assertThat(((AcquireResult.Queued) waiting).pollWithin()).isLessThanOrEqualTo(Duration.ofMillis(201));
		pass(Duration.ofMillis(201));
		assertThat(acquire(two, "two", LEASE)).isInstanceOf(AcquireResult.Granted.class);
	}

	private RecordLockStore store(String name, MemoryLockRecords records) {
		RecordSettings settings = RecordSettings.NOTIFIED;
		RecordLockStore store = new RecordLockStore(records, settings,
				RecordLockStore.rules(records.traits(), settings), this::schedule, () -> this.nanos, () -> 0.5);
		store.start(name, new StoreListener() {

			@Override
			public void granted(String key, RequestId request, Grant grant) {
				SessionHoldsTests.this.pushed.add(grant);
			}

			@Override
			public void contended(String key) {
				// Tests ask again.
			}

			@Override
			public void reconnected() {
				// Tests ask again.
			}

		});
		this.stores.add(store);
		return store;
	}

	private void schedule(Duration delay, Runnable action) {
		if (this.failing) {
			throw new InternalError("made up");
		}
		this.timers.add(new Timer(this.nanos + delay.toNanos(), action));
	}

	private static AcquireResult acquire(RecordLockStore store, String name, Duration lease) {
		return acquire(store, LOCK, name, lease);
	}

	private static AcquireResult acquire(RecordLockStore store, String key, String name, Duration lease) {
		return get(store.acquire(command(key, name, lease)));
	}

	private static AcquireCommand command(String key, String name, Duration lease) {
		return new AcquireCommand(key, new RequestId(name, 1), lease, Sharing.EXCLUSIVE, true, 1, Duration.ofSeconds(1),
				new Holder("app", "host", name, "", "", Instant.EPOCH));
	}

	private static RenewResult renew(RecordLockStore store, String name, Duration lease) {
		return get(store.renew(new RenewCommand(LOCK, new RequestId(name, 1), lease, 0)));
	}

	private static void finish(RecordLockStore store, String name) {
		assertThat(get(store.finish(LOCK, new RequestId(name, 1), Duration.ZERO))).isEqualTo(FinishResult.RELEASED);
	}

	private static void finishDespiteErrors(RecordLockStore store) {
		try {
			finish(store, "one");
		}
		catch (InternalError ex) {
			// The engine repeats it.
		}
	}

	private static <T> T get(CompletionStage<T> stage) {
		assertThat(stage.toCompletableFuture()).isDone();
		return stage.toCompletableFuture().join();
	}

	private void pass(Duration time) {
		long end = this.nanos + time.toNanos();
		while (!this.timers.isEmpty() && this.timers.peek().at() <= end) {
			Timer timer = this.timers.remove();
			this.nanos = Math.max(this.nanos, timer.at());
			timer.action().run();
		}
		this.nanos = end;
	}

	private Instant instant() {
		return Instant.ofEpochSecond(1_795_225_522L).plusNanos(this.nanos);
	}

	private record Timer(long at, Runnable action) implements Comparable<Timer> {

		@Override
		public int compareTo(Timer other) {
			return Long.compare(this.at, other.at);
		}

	}

}
