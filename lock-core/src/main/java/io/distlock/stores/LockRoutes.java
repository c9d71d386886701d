package io.distlock.stores;

import java.util.Map;

/**
 * Which lock is where. The key of a lock decides: a route for {@code stock} is for the
 * lock {@code stock} and for all whose key begins with {@code stock:}, however they are
 * acquired. Of several routes the one with the longest name counts.
 *
 * @param <T> what acquires a lock
 */
final class LockRoutes<T> {

	private static final char SEPARATOR = ':';

	private final Map<String, T> byName;

	private final T others;

	private final int longest;

	/**
	 * Creates routes.
	 * @param byName what acquires locks, by their name
	 * @param others acquires all other locks
	 */
	LockRoutes(Map<String, T> byName, T others) {
		this.byName = Map.copyOf(byName);
		this.longest = byName.keySet().stream().mapToInt(String::length).max().orElse(0);
		this.others = others;
	}

	T of(String key) {
		if (this.byName.isEmpty()) {
			return this.others;
		}
		// No name is longer, and a key may be, with any number of separators.
		int first = (key.length() <= this.longest) ? key.length() : key.lastIndexOf(SEPARATOR, this.longest);
		for (int end = first; end > 0; end = key.lastIndexOf(SEPARATOR, end - 1)) {
			T route = this.byName.get(key.substring(0, end));
			if (route != null) {
				return route;
			}
		}
		return this.others;
	}

}
