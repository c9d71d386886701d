package io.distlock.autoconfigure;

import java.util.function.Supplier;

import io.distlock.support.ForeignText;

/** Builds settings whose values come from properties and customizers. */
public final class StoreSettings {

	private StoreSettings() {
	}

	/**
	 * Builds settings.
	 * @param <T> the type of the settings
	 * @param properties the source properties, for messages
	 * @param customizer the type of the beans that may change the settings
	 * @param build builds the settings
	 * @return the settings
	 * @throws LockConfigurationException if a value is out of its range
	 */
	public static <T> T of(String properties, Class<?> customizer, Supplier<T> build) {
		try {
			return build.get();
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(
					"The settings of " + properties + " cannot work: " + ForeignText.messageOf(ex) + ".",
					"Correct the property, or the " + customizer.getSimpleName() + " bean if one sets the value.", ex);
		}
	}

}
