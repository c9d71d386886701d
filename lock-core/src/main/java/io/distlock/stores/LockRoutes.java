package io.distlock.stores;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which lock is in which stores. The key of a lock decides: a route for {@code stock} is
 * for the lock {@code stock} and for all whose key begins with {@code stock:}, however
 * they are acquired. Of several routes the one with the longest name counts.
 */
final class LockRoutes {

	private static final char SEPARATOR = ':';

	private final Map<String, List<String>> byName;

	private final List<String> others;

	private final int longest;

	/**
	 * Creates routes.
	 * @param byName ids of stores by name of lock, in the order of their acquisition
	 * @param others the store of all other locks
	 */
	LockRoutes(Map<String, List<String>> byName, String others) {
		Map<String, List<String>> copy = new HashMap<>();
		byName.forEach((name, ids) -> copy.put(name, List.copyOf(ids)));
		this.byName = copy;
		this.longest = copy.keySet().stream().mapToInt(String::length).max().orElse(0);
		this.others = List.of(others);
	}

	/** The ids of the stores that a lock is in, in the order of their acquisition. */
	List<String> of(String key) {
		if (this.byName.isEmpty()) {
			return this.others;
		}
		// No name is longer, and a key may be, with any number of separators.
		int first = (key.length() <= this.longest) ? key.length() : key.lastIndexOf(SEPARATOR, this.longest);
		for (int end = first; end > 0; end = key.lastIndexOf(SEPARATOR, end - 1)) {
			List<String> ids = this.byName.get(key.substring(0, end));
			if (ids != null) {
				return ids;
			}
		}
		return this.others;
	}

}
