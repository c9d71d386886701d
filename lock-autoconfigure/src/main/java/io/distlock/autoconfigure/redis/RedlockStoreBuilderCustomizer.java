package io.distlock.autoconfigure.redis;

import io.distlock.redlock.RedlockSettings;

/**
 * Changes the settings of stores on Redlock after the properties were applied, for
 * instance the retry interval. All beans of this type are called in their order.
 */
@FunctionalInterface
public interface RedlockStoreBuilderCustomizer {

	/**
	 * Changes the settings of a store.
	 * @param id id of the store under {@code distributed-lock.stores}, or {@code default}
	 * @param builder the settings that the properties result in
	 */
	void customize(String id, RedlockSettings.Builder builder);

}
