package io.distlock.internal.key;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Entries by key. An entry is created when it is needed and drops itself when it is not
 * needed any more. A caller that finds an entry just dropped gets a new one.
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
	 * Passes an entry to an action. If that entry was dropped meanwhile, the action gets
	 * a new entry. The argument spares the caller a capturing action object.
	 * @param <A> type of the argument
	 * @param key the key
	 * @param argument passed to the action
	 * @param action returns {@code false} for a dropped entry
	 * @return the entry that took the action
	 */
	public <A> V with(K key, A argument, BiPredicate<V, A> action) {
		while (true) {
			V entry = this.entries.get(key);
			if (entry == null) {
				entry = create(key);
			}
			if (action.test(entry, argument)) {
				return entry;
			}
			this.entries.remove(key, entry);
		}
	}

	/** Creates an entry, unless another thread has created one meanwhile. */
	private V create(K key) {
		V created = this.creation.apply(key);
		V other = this.entries.putIfAbsent(key, created);
		return (other != null) ? other : created;
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
