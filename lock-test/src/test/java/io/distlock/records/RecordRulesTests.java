package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.Holder;
import io.distlock.internal.state.LockText;
import io.distlock.internal.state.StateRules;
import io.distlock.internal.state.UnreadableRecordException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.records.MemoryPlace;
import io.distlock.test.records.MemoryPlace.Promise;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each rule of a store on records that a network or a clock can put to the test, alone,
 * and step by step.
 */
class RecordRulesTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final String LOCK = "stock";

	private final AtomicLong millis = new AtomicLong();

	private final Queue<Runnable> alarms = new ArrayDeque<>();

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.CLOCK, false,
			() -> START.plusMillis(this.millis.get()));

	private final RecordLockStore one = store("one", this.place.newRecords(), 100);

	private final RecordLockStore two = store("two", this.place.newRecords(), 100);

	private RecordLockStore store(String name, LockRecords records, int guardMillis) {
		RecordSettings settings = new RecordSettings(Duration.ofMillis(50), Duration.ofSeconds(2),
				Duration.ofMillis(guardMillis));
		RecordLockStore store = new RecordLockStore(records, settings,
				RecordLockStore.rules(records.traits(), settings, () -> 0.5),
				(delay, action) -> this.alarms.add(action), () -> this.millis.get() * 1_000_000, () -> 0.5);
		store.start(name, new StoreListener() {

			@Override
			public void granted(String key, RequestId request, Grant grant) {
			}

			@Override
			public void contended(String key) {
			}

			@Override
			public void reconnected() {
			}

		});
		return store;
	}

	private static CompletionStage<AcquireResult> acquire(RecordLockStore store, String name, boolean queue) {
		return store.acquire(new AcquireCommand(LOCK, new RequestId(name, 1), LEASE, Sharing.EXCLUSIVE, queue, 1,
				Duration.ofSeconds(1), new Holder("app", "host", name, "", "", Instant.EPOCH)));
	}

	private static AcquireResult attempt(RecordLockStore store, String name) {
		return get(acquire(store, name, false));
	}

	private static void hold(RecordLockStore store, String name) {
		assertThat(attempt(store, name)).isInstanceOf(AcquireResult.Granted.class);
	}

	private static RenewResult renew(RecordLockStore store, String name) {
		return get(store.renew(new RenewCommand(LOCK, new RequestId(name, 1), LEASE, 0, false)));
	}

	private static FinishResult finish(RecordLockStore store, String name) {
		return get(store.finish(LOCK, new RequestId(name, 1)));
	}

	private static <T> T get(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	private void runAlarms() {
		while (!this.alarms.isEmpty()) {
			this.alarms.remove().run();
		}
	}

	@Test
	void othersGetTheLockAGuardAfterTheEndOfItsLease() {
		hold(this.one, "one");
		this.millis.set(1099);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		this.millis.set(1100);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void theLongerGuardCountsWhereProcessesDiffer() {
		RecordLockStore careful = store("careful", this.place.newRecords(), 300);
		hold(careful, "careful");
		this.millis.set(1299);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		this.millis.set(1300);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aGuardOrAnEndThatCannotBeIsRefusedAsDamaged() {
		hold(this.one, "one");
		String text = this.place.text(LOCK);
		String[] lines = text.split("\\|", -1);
		assertThat(lines[1]).as("token, waiting, guard").endsWith("100;");
		for (String guard : List.of(String.valueOf(Long.MAX_VALUE - 1), "-1", "3600001")) {
			String damaged = text.replace(lines[1], lines[1].replaceAll("100;$", guard + ";"));
			assertThatExceptionOfType(UnreadableRecordException.class)
				.isThrownBy(() -> LockText.read(damaged, LOCK, rules()));
		}
		String end = String.valueOf(START.toEpochMilli() + LEASE.toMillis());
		assertThat(text).contains(end);
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> LockText.read(text.replace(end, String.valueOf(Long.MAX_VALUE - 1)), LOCK, rules()));
	}

	private static StateRules rules() {
		return RecordLockStore.rules(
				new MemoryPlace(RecordTraits.Lifetime.CLOCK, false, () -> START).newRecords().traits(),
				RecordSettings.POLLED, () -> 0.5);
	}

	@Test
	void aHoldThatWasLostIsNotMistakenForThatOfAnother() {
		assertThat(isMistaken()).isFalse();
	}

	@Test
	void versionsThatCountWritesWouldBeMistaken() {
		this.place.breakPromise(Promise.NEW_VERSION);
		assertThat(isMistaken()).isTrue();
	}

	/** Whether a holder renews after its grant was lost and given to another one. */
	private boolean isMistaken() {
		Runnable standby = this.place.backup();
		hold(this.one, "one");
		standby.run();
		hold(this.two, "two");
		this.millis.set(100);
		boolean renewed = renew(this.one, "one") instanceof RenewResult.Renewed;
		assertThat(renew(this.two, "two")).isInstanceOf(renewed ? RenewResult.Gone.class : RenewResult.Renewed.class);
		return renewed;
	}

	@Test
	void aHoldThatAnOperatorHasDeletedIsNotRenewedFromMemory() {
		hold(this.one, "one");
		this.place.delete(LOCK);
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Gone.class);
	}

	@Test
	void aHoldIsNotCalledLostFromMemory() {
		hold(this.one, "one");
		this.millis.set(1001);
		long reads = this.place.reads();
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Gone.class);
		assertThat(this.place.reads()).isEqualTo(reads + 1);
	}

	@Test
	void aRenewalThatArrivesAfterTheEndOfItsHoldIsRefused() {
		hold(this.one, "one");
		this.millis.set(990);
		this.place.beforeWrite((key) -> this.millis.set(1020));
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Gone.class);
	}

	@Test
	void aTakeThatArrivesAfterItsRequestHasEndedLoses() {
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.delayNext();
		acquire(slow, "slow", false);
		this.millis.set(5);
		assertThat(finish(slow, "slow")).isEqualTo(FinishResult.UNKNOWN);
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
		assertThat(attempt(this.two, "two")).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aTakeOfWhichNobodyAsksAgainIsMadeSureOfAndForgotten() {
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.delayNext();
		acquire(slow, "slow", false);
		assertThat(slow.remembered()).isEqualTo(1);
		this.millis.set(5);
		runAlarms();
		assertThat(slow.remembered()).isZero();
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
	}

	@Test
	void nothingIsAskedOfAPlaceAfterTheStoreHasStopped() {
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.delayNext();
		acquire(slow, "slow", false);
		slow.stop();
		long before = this.place.reads() + this.place.writes();
		runAlarms();
		assertThat(this.place.reads() + this.place.writes()).isEqualTo(before);
	}

	@Test
	void aWaiterThatKeepsAskingKeepsItsPlace() {
		hold(this.one, "one");
		for (int round = 0; round < 10; round++) {
			assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
			this.millis.addAndGet(400);
			assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Renewed.class);
		}
		RecordLockStore third = store("third", this.place.newRecords(), 100);
		assertThat(get(acquire(third, "third", true))).isInstanceOf(AcquireResult.Queued.class);
		finish(this.one, "one");
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	/** Loses the answer of a write, and executes it later. */
	private static final class LateRecords implements LockRecords {

		private final LockRecords records;

		private boolean delayed;

		private @Nullable Change change;

		private LateRecords(LockRecords records) {
			this.records = records;
		}

		void delayNext() {
			this.delayed = true;
		}

		Written arrive() {
			Change late = this.change;
			assertThat(late).isNotNull();
			return get(this.records.write(late));
		}

		@Override
		public RecordTraits traits() {
			return this.records.traits();
		}

		@Override
		public void start(String engine, RecordEvents events) {
			this.records.start(engine, events);
		}

		@Override
		public void stop() {
			this.records.stop();
		}

		@Override
		public CompletionStage<Seen> read(String key) {
			return this.records.read(key);
		}

		@Override
		public CompletionStage<Written> write(Change toWrite) {
			if (!this.delayed) {
				return this.records.write(toWrite);
			}
			this.delayed = false;
			this.change = toWrite;
			return CompletableFuture.failedFuture(new TransientStoreException("", "No answer", null));
		}

		@Override
		public Optional<Moment> estimate() {
			return this.records.estimate();
		}

	}

}
