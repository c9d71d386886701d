package io.distlock.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the rows that this process has used lately. The store takes such a row
 * without a look before.
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

	synchronized boolean contains(String name) {
		return this.rows.get(name) != null;
	}

	synchronized void add(String name) {
		this.rows.put(name, true);
	}

	synchronized void remove(String name) {
		this.rows.remove(name);
	}

}
