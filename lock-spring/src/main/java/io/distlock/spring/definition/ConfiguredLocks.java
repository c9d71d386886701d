package io.distlock.spring.definition;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.distlock.spring.ConfiguredLock;
import io.distlock.support.ForeignText;

/**
 * The configuration by the names of locks. An entry belongs to the lock of exactly its
 * name. Only a name from an environment variable, which has neither dashes nor upper
 * case, may stand for another one, and for a single one.
 */
final class ConfiguredLocks {

	private final Map<String, ConfiguredLock> byName;

	/** The lock for which each name from an environment variable stands. */
	private final Map<String, String> meant = new ConcurrentHashMap<>();

	/**
	 * Creates the configuration.
	 * @param byName the configuration, with the names as written
	 */
	ConfiguredLocks(Map<String, ConfiguredLock> byName) {
		this.byName = byName;
	}

	/**
	 * Returns the configuration of a lock.
	 * @param id a method with the lock
	 * @param name name of the lock
	 * @return the configuration of exactly this name, otherwise that of a variable
	 * @throws io.distlock.spring.InvalidLockDefinitionException if a variable could mean
	 * another lock as well
	 */
	ConfiguredLock of(LockedMethodId id, String name) {
		String uniform = uniform(name);
		ConfiguredLock ofVariable = this.byName.getOrDefault(uniform, ConfiguredLock.NONE);
		if (ofVariable.ofVariable()) {
			String other = this.meant.putIfAbsent(uniform, name);
			if (other != null && !other.equals(name)) {
				throw id.invalid(
						"environment variables DISTRIBUTEDLOCK_LOCKS_" + uniform.toUpperCase(Locale.ROOT)
								+ "_… could mean its name '" + ForeignText.of(name) + "' and also '"
								+ ForeignText.of(other) + "'",
						"Set what they set in a file, under distributed-lock.locks[" + ForeignText.of(name) + "]");
			}
		}
		ConfiguredLock exact = this.byName.get(name);
		return (exact != null) ? exact : ofVariable.ofVariable() ? ofVariable : ConfiguredLock.NONE;
	}

	/** Returns the configured names that belong to none of these locks. */
	SortedSet<String> besides(Set<String> names) {
		SortedSet<String> others = new TreeSet<>(this.byName.keySet());
		others.removeAll(names);
		this.meant.forEach((variable, name) -> {
			if (!this.byName.containsKey(name) || isOneForSpringBoot(variable, name)) {
				others.remove(variable);
			}
		});
		return others;
	}

	/** Returns the lock that a configured name without effect may mean. */
	static Optional<String> meantBy(String configured, Set<String> names) {
		return names.stream().filter((name) -> uniform(name).equals(uniform(configured))).findFirst();
	}

	/**
	 * Returns whether Spring Boot sets under the second name what is set under the first.
	 */
	private static boolean isOneForSpringBoot(String variable, String name) {
		return name.replace("-", "").equalsIgnoreCase(variable);
	}

	private static String uniform(String name) {
		return name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
	}

}
