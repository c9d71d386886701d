package io.distlock.stores;

import java.util.Map;

/**
 * Decides by the key of a lock where the lock is. A route for {@code stock} is for the
 * lock {@code stock} and for all locks whose key begins with {@code stock:}, however they
 * are acquired. If several routes fit, the route with the longest name counts.
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
	 * @param byName what acquires the locks of each name
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
		// A key may be longer than any name, with any number of separators.
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
