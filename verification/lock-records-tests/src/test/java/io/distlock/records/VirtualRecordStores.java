package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.LockStore;
import io.distlock.test.records.MemoryPlace;

/**
 * Connects stores to one place in memory. What they plan runs when a test says so, on its
 * thread.
 */
public final class VirtualRecordStores implements Supplier<LockStore>, Runnable {

	private final List<RecordLockStore> stores = new ArrayList<>();

	private final PriorityQueue<Planned> planned = new PriorityQueue<>();

	private final Queue<Runnable> messages = new ArrayDeque<>();

	private final LongSupplier nanoTime;

	private final MemoryPlace place;

	private long order;

	/**
	 * Creates a place.
	 * @param lifetime what ends holds there
	 * @param nanoTime the monotonic clock of all processes
	 */
	public VirtualRecordStores(RecordTraits.Lifetime lifetime, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.place = new MemoryPlace(lifetime, true,
				() -> Instant.ofEpochSecond(1_795_225_522L).plusNanos(nanoTime.getAsLong()), this.messages::add);
	}

	@Override
	public LockStore get() {
		LockRecords records = this.place.newRecords();
		RecordLockStore store = new RecordLockStore(records, RecordSettings.NOTIFIED,
				RecordLockStore.rules(records.traits(), RecordSettings.NOTIFIED), this::plan, this.nanoTime, () -> 0.5);
		this.stores.add(store);
		return store;
	}

	/** Returns how much all stores remember of locks. */
	public int remembered() {
		return this.stores.stream().mapToInt(RecordLockStore::remembered).sum();
	}

	private void plan(Duration delay, Runnable action) {
		this.planned.add(new Planned(this.nanoTime.getAsLong() + delay.toNanos(), this.order++, action));
	}

	/** Runs what is due. What fails does not end the thread that runs it. */
	@Override
	public void run() {
		while (!this.messages.isEmpty()) {
			attempt(this.messages.remove());
		}
		while (!this.planned.isEmpty() && this.planned.peek().at() - this.nanoTime.getAsLong() <= 0) {
			attempt(this.planned.remove().action());
		}
	}

	private static void attempt(Runnable action) {
		try {
			action.run();
		}
		catch (OutOfMemoryError ex) {
			// The test made it up.
		}
	}

	private record Planned(long at, long order, Runnable action) implements Comparable<Planned> {

		@Override
		public int compareTo(Planned other) {
			int byTime = Long.compare(this.at, other.at);
			return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
		}

	}

}
