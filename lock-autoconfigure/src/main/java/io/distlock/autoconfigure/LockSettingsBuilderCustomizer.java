package io.distlock.autoconfigure;

import io.distlock.LockSettings;

/**
 * Changes the settings of the lock template after the properties were applied. All beans
 * of this type are called in their order.
 */
@FunctionalInterface
public interface LockSettingsBuilderCustomizer {

	/**
	 * Changes the settings.
	 * @param builder the settings that the properties result in
	 */
	void customize(LockSettings.Builder builder);

}
