package io.distlock.spring.startup;

import java.util.List;
import java.util.Map;

/**
 * Describes an annotated method to operators, as the result of the annotation, the
 * configuration and the defaults.
 *
 * @param bean name of the bean
 * @param method the method with its class
 * @param name name of the lock, empty if the lock has only a key
 * @param keyExpressions the expressions of its keys, empty if the name is the whole
 * identity
 * @param mode {@code exclusive}, {@code shared}, or the number of permits
 * @param condition expression for whether a call takes the lock, empty if each call does
 * @param enabled whether the lock is switched on
 * @param onBusy what happens if the lock is busy
 * @param settings the other settings, by the names of their properties
 */
public record LockDefinition(String bean, String method, String name, List<String> keyExpressions, String mode,
		String condition, boolean enabled, String onBusy, Map<String, Setting> settings) {

	/**
	 * Creates a definition with copies of the collections.
	 * @param bean name of the bean
	 * @param method the method with its class
	 * @param name name of the lock
	 * @param keyExpressions the expressions of its keys
	 * @param mode how the lock is held
	 * @param condition expression for whether a call takes the lock
	 * @param enabled whether the lock is switched on
	 * @param onBusy what happens if the lock is busy
	 * @param settings the other settings
	 */
	public LockDefinition {
		keyExpressions = List.copyOf(keyExpressions);
		settings = Map.copyOf(settings);
	}

	/**
	 * A setting.
	 *
	 * @param value the value as written in the configuration
	 * @param origin the place of the setting: {@code annotation}, {@code default}, or the
	 * prefix of the property
	 */
	public record Setting(String value, String origin) {
	}

}
