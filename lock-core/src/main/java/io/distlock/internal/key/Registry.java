package io.distlock.internal.key;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Entries by key. An entry is created when it is needed and drops itself when it is not;
 * a caller that finds it at that moment gets a new one.
 *
 * @param <K> type of keys
 * @param <V> type of entries
 */
public final class Registry<K, V> {

	private final ConcurrentHashMap<K, V> entries = new ConcurrentHashMap<>();

	private final Function<K, V> creation;

	/**
	 * Creates an empty registry.
	 * @param creation creates an entry
	 */
	public Registry(Function<K, V> creation) {
		this.creation = creation;
	}

	/**
	 * Returns an entry.
	 * @param key the key
	 * @return the entry, or {@code null}
	 */
	public @Nullable V find(K key) {
		return this.entries.get(key);
	}

	/**
	 * Hands an entry to an action, and a new one if that one was dropped meanwhile.
	 * @param key the key
	 * @param action returns {@code false} for a dropped entry
	 * @return the entry that took the action
	 */
	public V with(K key, Predicate<V> action) {
		while (true) {
			V entry = this.entries.get(key);
			if (entry == null) {
				entry = this.entries.computeIfAbsent(key, this.creation);
			}
			if (action.test(entry)) {
				return entry;
			}
			this.entries.remove(key, entry);
		}
	}

	/**
	 * Removes an entry that drops itself.
	 * @param key the key
	 * @param entry the entry
	 */
	public void remove(K key, V entry) {
		this.entries.remove(key, entry);
	}

	/**
	 * Returns all entries.
	 * @return a live view
	 */
	public Collection<V> all() {
		return this.entries.values();
	}

	/**
	 * Returns whether there is no entry.
	 * @return {@code true} if empty
	 */
	public boolean isEmpty() {
		return this.entries.isEmpty();
	}

}
