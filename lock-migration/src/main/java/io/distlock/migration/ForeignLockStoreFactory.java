package io.distlock.migration;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.MarkedBeans;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.jdbc.LockDataSource;
import io.distlock.autoconfigure.redis.LockRedisConnectionFactory;
import io.distlock.migration.RedisForeignLocks.Format;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Makes stores whose locks are those of another library.
 *
 * @param type the type of the stores
 * @param library the name of the library
 * @param beans has the connections of the application
 * @param names names locks in the other library, if the application declares it
 * @param use counts who has the locks
 */
record ForeignLockStoreFactory(String type, String library, ListableBeanFactory beans,
		ObjectProvider<ForeignLockNames> names, ForeignUse use) implements LockStoreFactory {

	private static final Logger logger = LoggerFactory.getLogger(ForeignLockStoreFactory.class);

	@Override
	public CreatedStore create(Definition definition) {
		ForeignLockProperties properties = definition.bind(ForeignLockProperties.GROUP, ForeignLockProperties.class);
		String path = definition.path() + ForeignLockProperties.GROUP + ".";
		NamePatterns patterns = new NamePatterns(path, properties.key(), properties.names());
		List<String> routed = routed(definition);
		ForeignLockNames chosen = this.names.getIfAvailable(() -> {
			patterns.check(routed);
			return patterns;
		});
		UnaryOperator<String> named = (key) -> chosen.of(definition.id(), key);
		ForeignLocks locks = locks(definition.id(), path, properties);
		routed.forEach((name) -> logger.info(
				"Lock '{}' is also a lock of {}, and {} there. Take the store '{}' from the lock when "
						+ "lock.foreign.busy no longer rises",
				name, this.library, example(named, name), definition.id()));
		CreatedStore created = new CreatedStore(new ForeignLockStore("the locks of " + this.library, locks, named,
				this.use.counter(definition.id()), properties.dryRun()));
		return (locks instanceof ShedLockTable table) ? created.checkedBy(new StoreCheck(StoreCheck.Mode.FAIL,
				"Locks of ShedLock in a database cannot be shared", "the table", "", table::check)) : created;
	}

	/** Returns a pair of names, of a lock without an id if others have no name there. */
	private static String example(UnaryOperator<String> named, String name) {
		for (String key : List.of(name + ":<id>", name)) {
			try {
				return "'" + KeyText.of(key) + "' is '" + ForeignText.of(named.apply(key)) + "'";
			}
			catch (RuntimeException ex) {
				// A bean may know real ids only.
			}
		}
		return "named by a bean";
	}

	/** Returns the names of the locks that are in the store. */
	private static List<String> routed(Definition definition) {
		Map<String, Route> locks = definition.binder()
			.bind("distributed-lock.locks", Bindable.mapOf(String.class, Route.class))
			.orElse(Map.of());
		return new TreeMap<>(locks).entrySet()
			.stream()
			.filter((lock) -> Optional.ofNullable(lock.getValue().store()).orElse(List.of()).contains(definition.id()))
			.map(Map.Entry::getKey)
			.toList();
	}

	private ForeignLocks locks(String id, String path, ForeignLockProperties properties) {
		if (this.type.equals("shedlock-jdbc")) {
			if (!properties.databaseTime()) {
				throw new LockConfigurationException(
						"Locks of ShedLock in a database are safe only if all instances use the time of the database, and "
								+ path + "database-time does not confirm it.",
						"Set it to true if all instances call usingDbTime(). Otherwise stop them before the first instance "
								+ "of this library starts.");
			}
			return new ShedLockTable(bean(DataSource.class, LockDataSource.class, id), properties.table());
		}
		return new RedisForeignLocks(bean(RedisConnectionFactory.class, LockRedisConnectionFactory.class, id),
				switch (this.type) {
					case "redisson" -> Format.redisson();
					case "spring-integration" -> Format.springIntegration(registryKey(path, properties));
					case "shedlock" -> Format.value("job-lock:" + properties.environment() + ":");
					default -> Format.value("lock4j:");
				});
	}

	private static String registryKey(String path, ForeignLockProperties properties) {
		if (properties.registryKey().isEmpty()) {
			throw new LockConfigurationException("The property " + path + "registry-key is not set.",
					"Set it to the registry key of the RedisLockRegistry.");
		}
		return properties.registryKey();
	}

	private <T> T bean(Class<T> bean, Class<? extends java.lang.annotation.Annotation> mark, String id) {
		return MarkedBeans.find(this.beans, bean, mark, id)
			.orElseThrow(() -> new LockConfigurationException(
					"The locks of " + this.library + " need a " + bean.getSimpleName() + " bean, and there is none.",
					"Declare the one that " + this.library + " uses."));
	}

	/**
	 * What is read here of {@code distributed-lock.locks.<name>}.
	 *
	 * @param store the ids of the stores of the lock
	 */
	record Route(List<String> store) {
	}

}
