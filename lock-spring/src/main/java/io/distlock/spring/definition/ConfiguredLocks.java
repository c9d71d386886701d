package io.distlock.spring.definition;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import io.distlock.spring.ConfiguredLock;

/**
 * The configuration by the names of locks. A name in an environment variable has neither
 * dashes nor upper case.
 *
 * @param byName the configuration, with the names as written
 */
record ConfiguredLocks(Map<String, ConfiguredLock> byName) {

	ConfiguredLock of(String name) {
		ConfiguredLock exact = this.byName.get(name);
		return (exact != null) ? exact : this.byName.getOrDefault(uniform(name), ConfiguredLock.NONE);
	}

	/** Returns the configured names that belong to none of these locks. */
	SortedSet<String> besides(Set<String> names) {
		SortedSet<String> others = new TreeSet<>(this.byName.keySet());
		names.forEach((name) -> {
			others.remove(name);
			others.remove(uniform(name));
		});
		return others;
	}

	private static String uniform(String name) {
		return name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
	}

}
