package io.distlock.spring.startup;

import java.util.List;
import java.util.Map;

/**
 * An annotated method of the application, for operators: what the annotation, the
 * configuration and the defaults come to.
 *
 * @param bean name of the bean
 * @param method the method with its class
 * @param name name of the lock, empty if it has a key only
 * @param keyExpressions the expressions of its keys, empty if the name is the whole
 * identity
 * @param mode {@code exclusive}, {@code shared}, or how many permits
 * @param condition expression for whether a call takes the lock, empty if each does
 * @param enabled whether the lock is not switched off
 * @param onBusy what happens if the lock is busy
 * @param settings what else is set, by the name of its property
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
	 * @param enabled whether the lock is not switched off
	 * @param onBusy what happens if the lock is busy
	 * @param settings what else is set
	 */
	public LockDefinition {
		keyExpressions = List.copyOf(keyExpressions);
		settings = Map.copyOf(settings);
	}

	/**
	 * A setting.
	 *
	 * @param value the value, as it is written in the configuration
	 * @param origin where it is set: {@code annotation}, {@code default}, or the prefix
	 * of the property
	 */
	public record Setting(String value, String origin) {
	}

}
