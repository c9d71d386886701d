package io.distlock.migration;

import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of a store whose locks are those of another library.
 *
 * @param key The name of a lock in the other library, where {key} is the key of the lock
 * here.
 * @param names The same for single locks: by name of the lock here its name there, where
 * {id} is what follows the name in the key.
 * @param registryKey The registry key of Spring Integration.
 * @param environment The environment of ShedLock on Redis.
 * @param table The table of ShedLock in a database.
 * @param databaseTime Confirms that all instances with ShedLock in a database use the
 * time of the database.
 * @param dryRun Only logs both names of each lock, and whether the other library holds
 * it. Takes no lock there.
 */
@ConfigurationProperties("distributed-lock.foreign")
record ForeignLockProperties(@DefaultValue("{key}") String key, @DefaultValue Map<String, String> names,
		@DefaultValue("") String registryKey, @DefaultValue("default") String environment,
		@DefaultValue("shedlock") String table, @DefaultValue("false") boolean databaseTime,
		@DefaultValue("false") boolean dryRun) {

	/** The name of this group. */
	static final String GROUP = "foreign";

}
