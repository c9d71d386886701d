package io.distlock.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.distlock.support.ForeignText;

/**
 * Warns of environment variables that Spring Boot silently ignores. It reads two names of
 * a setting: the one that leaves out all dashes, and the one that has an underscore for
 * each of them. It reads only the first one of a setting for a single lock, where an
 * underscore within the name of the lock or of the setting is a dot.
 */
final class LockVariables {

	private static final Logger logger = LoggerFactory.getLogger(LockVariables.class);

	private static final String PREFIX = "DISTRIBUTEDLOCK_";

	/** Also what everybody guesses, because the prefix of the properties has a dash. */
	private static final String WITH_DASH = "DISTRIBUTED_LOCK_";

	private static final String OF_LOCKS = PREFIX + "LOCKS_";

	private static final Pattern OF_ENTRY = Pattern.compile("(LOCKS|STORES)_.*");

	/** Follows the name of a list. */
	private static final String INDEX = "_\\d+_?$";

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
	private static final Pattern STORE = Pattern.compile(OF_LOCKS + ".+_STORE(_\\d+_?)?");

	private LockVariables() {
	}

	static void warn(Environment environment) {
		names(environment).forEach(LockVariables::warn);
	}

	private static Stream<String> names(Environment environment) {
		return (environment instanceof ConfigurableEnvironment configurable) ? configurable.getPropertySources()
			.stream()
			.filter(SystemEnvironmentPropertySource.class::isInstance)
			.flatMap((source) -> Arrays.stream(((SystemEnvironmentPropertySource) source).getPropertyNames()).sorted())
				: Stream.empty();
	}

	private static void warn(String variable) {
		String upper = variable.toUpperCase(Locale.ROOT);
		if (!upper.startsWith(OF_LOCKS) || UNDERSTOOD.matcher(upper.substring(OF_LOCKS.length())).matches()) {
			return;
		}
		if (STORE.matcher(upper).matches()) {
			logger.warn(
					"The environment variable {} has no effect: a variable chooses the store of a lock only if the "
							+ "name of the lock has lower-case letters and digits alone. Set it in a file",
					ForeignText.of(variable));
			return;
		}
		String letters = upper.substring(OF_LOCKS.length()).replace("_", "");
		SETTINGS.stream()
			.filter((setting) -> letters.endsWith(setting) && letters.length() > setting.length())
			.findFirst()
			.ifPresent((setting) -> logger.warn(
					"The environment variable {} has no effect: dashes are left out in it. The name for the setting is {}",
					ForeignText.of(variable),
					OF_LOCKS + letters.substring(0, letters.length() - setting.length()) + "_" + setting));
	}

	/** Returns the variables that begin like settings, but not like one of a lock. */
	static List<String> candidates(Environment environment) {
		return names(environment).filter((variable) -> !afterPrefix(variable).isEmpty()).toList();
	}

	/** Returns what follows the prefix, or an empty text. */
	private static String afterPrefix(String variable) {
		String upper = variable.toUpperCase(Locale.ROOT);
		if (upper.startsWith(WITH_DASH)) {
			return upper.substring(WITH_DASH.length());
		}
		boolean candidate = upper.startsWith(PREFIX) && !OF_ENTRY.matcher(upper.substring(PREFIX.length())).matches();
		return candidate ? upper.substring(PREFIX.length()) : "";
	}

	/**
	 * Returns why a variable is not read, a sentence.
	 * @param variable one of the candidates
	 * @param known the names of all settings without the prefix
	 * @return empty if the variable is read, or is nothing that this library knows
	 */
	static Optional<String> whyIgnored(String variable, Collection<String> known) {
		String rest = afterPrefix(variable);
		Matcher entry = OF_ENTRY.matcher(rest);
		if (entry.matches()) {
			return Optional.of("The environment variable " + ForeignText.of(variable)
					+ " may have no effect: Spring Boot finds the settings of a single lock or store only under "
					+ "names that begin with " + PREFIX + entry.group(1) + "_");
		}
		String letters = rest.replaceAll(INDEX, "").replace("_", "");
		List<String> meant = known.stream()
			.filter((name) -> letters.equals(upper(name).replaceAll("[-.]", "")))
			.toList();
		String read = variable.toUpperCase(Locale.ROOT).replaceAll(INDEX, "");
		return meant.stream()
			.anyMatch((name) -> read.equals(PREFIX + withoutDashes(name))
					|| read.equals(WITH_DASH + upper(name).replaceAll("[-.]", "_")))
							? Optional.empty()
							: meant.stream()
								.findFirst()
								.map((name) -> "The environment variable " + ForeignText.of(variable)
										+ " has no effect. The name for the setting is " + PREFIX
										+ withoutDashes(name));
	}

	private static String withoutDashes(String name) {
		return upper(name).replace("-", "").replace('.', '_');
	}

	private static String upper(String name) {
		return name.toUpperCase(Locale.ROOT);
	}

}
