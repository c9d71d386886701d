package io.distlock.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.distlock.support.ForeignText;

/**
 * Warns of environment variables for a lock that Spring Boot silently ignores. Spring
 * Boot reads an underscore within the name of the lock or of the setting as a dot.
 */
final class LockVariables {

	private static final Logger logger = LoggerFactory.getLogger(LockVariables.class);

	private static final String PREFIX = "DISTRIBUTEDLOCK_LOCKS_";

	/** What everybody guesses, because the prefix of the properties has a dash. */
	private static final String GUESSED = "DISTRIBUTED_LOCK_";

	private static final List<String> PROPERTIES = Stream
		.concat(Arrays.stream(LockProperties.class.getRecordComponents()).map(RecordComponent::getName),
				Stream.of("redis", "redlock", "jdbc", "zookeeper"))
		.map((name) -> name.toUpperCase(Locale.ROOT))
		.toList();

	private static final List<String> SETTINGS = Arrays.stream(LockProperties.Lock.class.getRecordComponents())
		.map(RecordComponent::getName)
		.map((name) -> name.toUpperCase(Locale.ROOT))
		.sorted(Comparator.comparingInt(String::length).reversed())
		.toList();

	private static final Pattern UNDERSTOOD = Pattern.compile("[^_]+_(" + String.join("|", SETTINGS) + ")(_\\d+_?)?");

	/**
	 * Matches variables for the store of a lock. Keys find their store by the exact name
	 * of the lock, which a variable cannot express.
	 */
	private static final Pattern STORE = Pattern.compile(PREFIX + ".+_STORE(_\\d+_?)?");

	private LockVariables() {
	}

	static void warn(Environment environment) {
		if (environment instanceof ConfigurableEnvironment configurable) {
			for (PropertySource<?> source : configurable.getPropertySources()) {
				if (source instanceof SystemEnvironmentPropertySource variables) {
					Arrays.stream(variables.getPropertyNames()).sorted().forEach(LockVariables::warn);
				}
			}
		}
	}

	private static void warn(String variable) {
		String upper = variable.toUpperCase(Locale.ROOT);
		if (upper.startsWith(GUESSED)) {
			warnOfGuess(variable, upper.substring(GUESSED.length()));
			return;
		}
		if (!upper.startsWith(PREFIX) || UNDERSTOOD.matcher(upper.substring(PREFIX.length())).matches()) {
			return;
		}
		if (STORE.matcher(upper).matches()) {
			logger.warn(
					"The environment variable {} has no effect: a variable chooses the store of a lock only if the "
							+ "name of the lock has lower-case letters and digits alone. Set it in a file",
					ForeignText.of(variable));
			return;
		}
		String letters = upper.substring(PREFIX.length()).replace("_", "");
		SETTINGS.stream()
			.filter((setting) -> letters.endsWith(setting) && letters.length() > setting.length())
			.findFirst()
			.ifPresent((setting) -> logger.warn(
					"The environment variable {} has no effect: dashes are left out in it. The name for the setting is {}",
					ForeignText.of(variable),
					PREFIX + letters.substring(0, letters.length() - setting.length()) + "_" + setting));
	}

	private static void warnOfGuess(String variable, String rest) {
		String letters = rest.replace("_", "");
		if (PROPERTIES.contains(letters)) {
			logger.warn(
					"The environment variable {} has no effect: dashes are left out in it. The name for the setting is {}",
					ForeignText.of(variable), "DISTRIBUTEDLOCK_" + letters);
		}
		else if (PROPERTIES.contains(rest.replaceFirst("_.*", ""))) {
			logger
				.warn("The environment variable {} has no effect: dashes are left out in it. The name for the setting "
						+ "begins with DISTRIBUTEDLOCK_", ForeignText.of(variable));
		}
	}

}
