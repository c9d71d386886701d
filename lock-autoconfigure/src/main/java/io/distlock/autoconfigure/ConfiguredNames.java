package io.distlock.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.distlock.support.ForeignText;

/**
 * The names of locks as they are written in {@code distributed-lock.locks}. Binding loses
 * where a name comes from, and whether it is in brackets.
 */
final class ConfiguredNames {

	private static final ConfigurationPropertyName LOCKS = ConfigurationPropertyName
		.of(LockProperties.PREFIX + ".locks");

	private ConfiguredNames() {
	}

	/**
	 * Returns the names that environment variables have, without dashes and upper case.
	 */
	static Set<String> ofVariables(Environment environment) {
		Set<String> names = new TreeSet<>();
		names(environment, true).forEach((name) -> names.add(name.getElement(2, Form.ORIGINAL)));
		return names;
	}

	/**
	 * Refuses two names that Spring Boot takes for one, because it gives each the
	 * settings of both.
	 * @param environment has the names
	 * @throws LockConfigurationException if there are two such names
	 */
	static void check(Environment environment) {
		Map<String, String> written = new TreeMap<>();
		names(environment, false).filter((name) -> !name.chop(3).isLastElementIndexed()).forEach((name) -> {
			String one = name.getElement(2, Form.ORIGINAL);
			String other = written.putIfAbsent(name.getElement(2, Form.UNIFORM), one);
			if (other != null && !other.equals(one)) {
				throw new LockConfigurationException(
						"The properties distributed-lock.locks." + ForeignText.of(one) + " and distributed-lock.locks."
								+ ForeignText.of(other)
								+ " have one name for Spring Boot, which gives each lock the settings of both.",
						"Write the names in brackets: distributed-lock.locks[" + ForeignText.of(one)
								+ "] and distributed-lock.locks[" + ForeignText.of(other) + "].");
			}
		});
	}

	private static Stream<ConfigurationPropertyName> names(Environment environment, boolean variables) {
		Stream.Builder<ConfigurationPropertyName> names = Stream.builder();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable
					&& source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource == variables) {
				iterable.stream()
					.filter((name) -> LOCKS.isAncestorOf(name) && name.getNumberOfElements() > 3)
					.forEach(names::add);
			}
		}
		return names.build();
	}

}
