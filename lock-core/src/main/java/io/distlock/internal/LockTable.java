package io.distlock.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;

import io.distlock.LockStoreException;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/** The entries of all keys in use. A key nobody holds or wants has none. */
final class LockTable {

	private final ConcurrentHashMap<String, LockEntry> entries = new ConcurrentHashMap<>();

	/** Of permits: a semaphore may have several. */
	private final ConcurrentHashMap<Slot, LockEntry> slots = new ConcurrentHashMap<>();

	private final ConcurrentHashMap<String, Semaphore> semaphores = new ConcurrentHashMap<>();

	private final EngineContext engine;

	LockTable(EngineContext engine) {
		this.engine = engine;
	}

	@Nullable LockEntry find(String key) {
		return this.entries.get(key);
	}

	@Nullable LockEntry find(Slot slot) {
		return this.slots.get(slot);
	}

	/** The entry of a hold, if it was not dropped after a loss. */
	@Nullable LockEntry of(Hold hold) {
		Slot slot = hold.taker().nests() ? null : Slot.of(hold.key(), hold.request());
		return (slot != null) ? find(slot) : find(hold.key());
	}

	@Nullable Semaphore semaphore(String key) {
		return this.semaphores.get(key);
	}

	/**
	 * Lets somebody wait for a lock or a permit.
	 * @param key the key
	 * @param waiter who
	 * @return where it waits
	 */
	WaitingPlace join(String key, Waiter waiter) {
		return waiter.nests() ? with(key, (entry) -> entry.join(waiter)) : with(this.semaphores, key,
				(absent) -> new Semaphore(absent, this.engine), (semaphore) -> semaphore.join(waiter));
	}

	/**
	 * Hands the entry of a key to an action, again with a new one if it was dropped
	 * meanwhile.
	 * @param key the key
	 * @param action returns {@code false} for a dropped entry
	 * @return the entry that took the action
	 */
	LockEntry with(String key, Predicate<LockEntry> action) {
		return with(this.entries, key, (absent) -> new LockEntry(absent, this.engine), action);
	}

	/** The same for a permit. */
	LockEntry with(Slot slot, Predicate<LockEntry> action) {
		return with(this.slots, slot, (absent) -> new LockEntry(absent, this.engine), action);
	}

	/** The same for what a request was made for. */
	LockEntry with(String key, RequestId request, Predicate<LockEntry> action) {
		Slot slot = Slot.of(key, request);
		return (slot != null) ? with(slot, action) : with(key, action);
	}

	private static <K, V> V with(ConcurrentMap<K, V> map, K key, Function<K, V> creation, Predicate<V> action) {
		while (true) {
			V value = map.get(key);
			if (value == null) {
				value = map.computeIfAbsent(key, creation);
			}
			if (action.test(value)) {
				return value;
			}
			map.remove(key, value);
		}
	}

	void remove(String key, LockEntry entry) {
		this.entries.remove(key, entry);
	}

	void remove(Slot slot, LockEntry entry) {
		this.slots.remove(slot, entry);
	}

	void remove(String key, Semaphore semaphore) {
		this.semaphores.remove(key, semaphore);
	}

	/** Nobody wants or holds a permit here any more. */
	void vacated(Slot slot) {
		Semaphore semaphore = this.semaphores.get(slot.key());
		if (semaphore != null) {
			semaphore.vacated(slot.number());
		}
	}

	/** The store has said who has a permit, or failed to. */
	void answered(Slot slot, @Nullable LockStoreException failure) {
		Semaphore semaphore = this.semaphores.get(slot.key());
		if (semaphore != null) {
			semaphore.answered(slot.number(), failure);
		}
	}

	Collection<LockEntry> all() {
		if (this.slots.isEmpty()) {
			return this.entries.values();
		}
		List<LockEntry> all = new ArrayList<>(this.entries.values());
		all.addAll(this.slots.values());
		return all;
	}

	Collection<Semaphore> semaphores() {
		return this.semaphores.values();
	}

	/** Whether any lock is held here. */
	boolean anyHeld() {
		return all().stream().anyMatch(LockEntry::held);
	}

	boolean isEmpty() {
		return this.entries.isEmpty() && this.slots.isEmpty() && this.semaphores.isEmpty();
	}

}
