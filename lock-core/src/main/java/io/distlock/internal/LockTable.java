package io.distlock.internal;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/** The entries of all keys in use. A key nobody holds or wants has none. */
final class LockTable {

	private final ConcurrentHashMap<String, LockEntry> entries = new ConcurrentHashMap<>();

	private final EngineContext engine;

	LockTable(EngineContext engine) {
		this.engine = engine;
	}

	@Nullable LockEntry find(String key) {
		return this.entries.get(key);
	}

	/**
	 * Hands the entry of a key to an action, again with a new one if it was dropped
	 * meanwhile.
	 * @param key the key
	 * @param action returns {@code false} for a dropped entry
	 * @return the entry that took the action
	 */
	LockEntry with(String key, Predicate<LockEntry> action) {
		while (true) {
			LockEntry entry = this.entries.get(key);
			if (entry == null) {
				entry = this.entries.computeIfAbsent(key, (absent) -> new LockEntry(absent, this.engine));
			}
			if (action.test(entry)) {
				return entry;
			}
			this.entries.remove(key, entry);
		}
	}

	void remove(String key, LockEntry entry) {
		this.entries.remove(key, entry);
	}

	Collection<LockEntry> all() {
		return this.entries.values();
	}

	/** Whether any lock is held here. */
	boolean anyHeld() {
		return this.entries.values().stream().anyMatch(LockEntry::held);
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

}
