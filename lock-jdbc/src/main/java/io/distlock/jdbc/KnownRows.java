package io.distlock.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the rows that this process has used lately. The store uses this to try the
 * statement that is more likely to succeed first.
 */
final class KnownRows {

	private static final int MOST = 10_000;

	private final Map<String, Boolean> rows = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
			return size() > MOST;
		}

	};

	/**
	 * Adds a row.
	 * @return {@code true} if it was not known
	 */
	synchronized boolean add(String name) {
		return this.rows.put(name, true) == null;
	}

	synchronized void remove(String name) {
		this.rows.remove(name);
	}

}
