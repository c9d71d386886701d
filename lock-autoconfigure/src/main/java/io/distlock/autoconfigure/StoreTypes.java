package io.distlock.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.distlock.support.ForeignText;
import io.distlock.support.NearestName;

/** Knows the types of stores that this application can have, and chooses among them. */
final class StoreTypes {

	/** The dependency to add for each type that is part of this project. */
	private static final Map<String, String> MODULES = new TreeMap<>(
			Map.of("redis", "lock-spring-boot-starter and set spring.data.redis.*", "redlock",
					"lock-redlock and spring-boot-starter-data-redis", "jdbc",
					"lock-spring-boot-starter-jdbc and set spring.datasource.*", "zookeeper",
					"lock-spring-boot-starter-zookeeper and set distributed-lock.zookeeper.connect-string"));

	private static final String MIGRATION = "lock-migration";

	/** Types of stores of the module that takes the locks of other libraries. */
	private static final Set<String> FOREIGN = Set.of("redisson", "spring-integration", "shedlock", "shedlock-jdbc",
			"lock4j");

	private static final String ADD_STORE = "Add " + MODULES.get("redis") + ", or " + MODULES.get("jdbc") + ", or "
			+ MODULES.get("zookeeper") + ", or declare a LockStore bean. For an application that runs once, or a test, "
			+ "set distributed-lock.store=memory.";

	private final List<LockStoreFactory> factories;

	/**
	 * Creates the types.
	 * @param factories make the stores whose modules are on the class path
	 */
	StoreTypes(List<LockStoreFactory> factories) {
		this.factories = new ArrayList<>(factories);
		this.factories.add(new MemoryLockStoreFactory());
		this.factories.sort(Comparator.comparing(LockStoreFactory::type));
	}

	/**
	 * Returns what to add for a store of this project.
	 * @param type the type, or the name of the group of its properties
	 * @return empty if the project has no such store, and for the store in memory
	 */
	static Optional<String> toAdd(String type) {
		return type.equals("foreign") ? Optional.of(MIGRATION) : Optional.ofNullable(MODULES.get(type));
	}

	/** Returns all types, for messages. */
	String names() {
		return this.factories.stream().map(LockStoreFactory::type).collect(Collectors.joining(", "));
	}

	/**
	 * Refuses an unknown type.
	 * @param property the property that names the type
	 * @param type the type, {@code null} if the property is not set
	 */
	void check(String property, @Nullable String type) {
		if (type != null) {
			of(property, type);
		}
	}

	LockStoreFactory of(String property, String type) {
		return find(type).orElseThrow(() -> unknown(property, type));
	}

	private Optional<LockStoreFactory> find(String type) {
		return this.factories.stream().filter((factory) -> factory.type().equalsIgnoreCase(type)).findFirst();
	}

	private LockConfigurationException unknown(String property, String type) {
		String module = FOREIGN.contains(type.toLowerCase(Locale.ROOT)) ? MIGRATION
				: MODULES.get(type.toLowerCase(Locale.ROOT));
		if (module != null) {
			return new LockConfigurationException(
					"The property " + property + " is " + type
							+ ", but the module of this store, or what it needs, is not on the class path.",
					"Add " + module + ", or set the property to another store: " + names() + ".");
		}
		List<String> types = this.factories.stream().map(LockStoreFactory::type).toList();
		return new LockConfigurationException(
				"The property " + property + " is '" + ForeignText.of(type) + "', but there is no such store.",
				NearestName.of(type, types).map((near) -> "Did you mean " + near + "? ").orElse("") + "Known are: "
						+ names() + ".");
	}

	/**
	 * Chooses the type of the default store.
	 * @param wanted the type, {@code null} if it is not set
	 * @return the factory of the type
	 * @throws LockConfigurationException if there is no type, or the choice is open
	 */
	LockStoreFactory choose(@Nullable String wanted) {
		if (wanted != null) {
			return of(LockProperties.PREFIX + ".store", wanted);
		}
		List<LockStoreFactory> ready = this.factories.stream().filter(LockStoreFactory::isReady).toList();
		if (ready.size() == 1) {
			return ready.get(0);
		}
		throw ready.isEmpty() ? none() : several(ready);
	}

	private LockConfigurationException none() {
		String missing = this.factories.stream()
			.filter((factory) -> !factory.missing().isEmpty())
			.map((factory) -> ", for " + factory.type() + " " + factory.missing())
			.collect(Collectors.joining());
		return new LockConfigurationException("There is no store to keep locks in: no LockStore bean" + missing + ".",
				ADD_STORE);
	}

	private static LockConfigurationException several(List<LockStoreFactory> ready) {
		String types = ready.stream().map(LockStoreFactory::type).collect(Collectors.joining(" and "));
		String values = ready.stream()
			.map((factory) -> "distributed-lock.store=" + factory.type())
			.collect(Collectors.joining(" or "));
		return new LockConfigurationException(
				types + " could keep locks, and locks in different stores do not exclude each other.",
				"Set " + values + ", the same in all applications that share locks; or remove the "
						+ "modules that are not to keep them.");
	}

}
