package io.distlock.autoconfigure.redis;

import io.distlock.redis.RedisLockStoreSettings;

/**
 * Changes the settings of stores on Redis after the properties were applied, for instance
 * the poll interval. All beans of this type are called in their order.
 */
@FunctionalInterface
public interface RedisLockStoreBuilderCustomizer {

	/**
	 * Changes the settings of a store.
	 * @param id id of the store under {@code distributed-lock.stores}, or {@code default}
	 * @param builder the settings that the properties result in
	 */
	void customize(String id, RedisLockStoreSettings.Builder builder);

}
