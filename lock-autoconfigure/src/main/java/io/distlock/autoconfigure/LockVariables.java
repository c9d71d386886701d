package io.distlock.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.distlock.support.ForeignText;

/**
 * Warns of environment variables that Spring Boot silently ignores. It reads two names of
 * a setting: the one that leaves out all dashes, and the one that has an underscore for
 * each of them. The second one of a setting for a single lock counts only where another
 * source has settings of that lock, and in the first one an underscore within the name of
 * the lock or of the setting is a dot.
 */
final class LockVariables {

	private static final Logger logger = LoggerFactory.getLogger(LockVariables.class);

	private static final String PREFIX = "DISTRIBUTEDLOCK_";

	/** Also what everybody guesses, because the prefix of the properties has a dash. */
	private static final String WITH_DASH = "DISTRIBUTED_LOCK_";

	private static final String OF_LOCKS = PREFIX + "LOCKS_";

	private static final Pattern OF_ENTRY = Pattern.compile(WITH_DASH + "(LOCKS|STORES)_.*");

	private static final Pattern OF_STORE = Pattern.compile("STORES_([^_]+)_(.+)");

	/** Follows the name of a list. */
	private static final Pattern INDEX = Pattern.compile("(.+)_(\\d+)_?");

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

	/**
	 * A variable that begins like a setting, but not like one of a single lock.
	 *
	 * @param variable its name
	 * @param source the source that has it
	 */
	record Candidate(String variable, ConfigurationPropertySource source) {
	}

	private LockVariables() {
	}

	static void warn(Environment environment) {
		sources(environment).flatMap(LockVariables::names).forEach(LockVariables::warn);
	}

	private static Stream<SystemEnvironmentPropertySource> sources(Environment environment) {
		return (environment instanceof ConfigurableEnvironment configurable) ? configurable.getPropertySources()
			.stream()
			.filter(SystemEnvironmentPropertySource.class::isInstance)
			.map(SystemEnvironmentPropertySource.class::cast) : Stream.empty();
	}

	private static Stream<String> names(SystemEnvironmentPropertySource source) {
		return Arrays.stream(source.getPropertyNames()).sorted();
	}

	private static void warn(String variable) {
		String upper = upper(variable);
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
	static List<Candidate> candidates(Environment environment) {
		return sources(environment)
			.flatMap((source) -> names(source).filter(LockVariables::isCandidate)
				.map((variable) -> new Candidate(variable,
						Objects.requireNonNull(ConfigurationPropertySource.from(source)))))
			.toList();
	}

	private static boolean isCandidate(String variable) {
		String upper = upper(variable);
		return upper.startsWith(WITH_DASH) || (upper.startsWith(PREFIX) && !upper.startsWith(OF_LOCKS));
	}

	/**
	 * Returns why a variable is not read, a sentence.
	 * @param candidate the variable
	 * @param known the names of all settings without the prefix
	 * @return empty if the variable is read, or is nothing that this library knows
	 */
	static Optional<String> whyIgnored(Candidate candidate, List<String> known) {
		String upper = upper(candidate.variable());
		Matcher entry = OF_ENTRY.matcher(upper);
		if (entry.matches()) {
			return Optional.of("The environment variable " + ForeignText.of(candidate.variable())
					+ " has no effect unless a file has settings of the same lock or store. The name for the setting "
					+ "begins with " + PREFIX + entry.group(1) + "_");
		}
		String rest = upper.substring((upper.startsWith(WITH_DASH) ? WITH_DASH : PREFIX).length());
		Matcher index = INDEX.matcher(rest);
		String element = index.matches() ? "[" + index.group(2) + "]" : "";
		String name = index.matches() ? index.group(1) : rest;
		Matcher store = OF_STORE.matcher(name);
		String scope = store.matches() ? "stores." + store.group(1).toLowerCase(Locale.ROOT) + "." : "";
		String letters = (store.matches() ? store.group(2) : name).replace("_", "");
		List<String> meant = (store.matches() ? UnknownProperties.ofStore(known) : known).stream()
			.filter((setting) -> letters.equals(upper(setting).replaceAll("[-.]", "")))
			.map((setting) -> scope + setting)
			.toList();
		return meant.stream().anyMatch((setting) -> isRead(candidate.source(), setting + element)) ? Optional.empty()
				: meant.stream()
					.findFirst()
					.map((setting) -> "The environment variable " + ForeignText.of(candidate.variable())
							+ " has no effect. The name for the setting is " + PREFIX
							+ upper(setting).replace("-", "").replace('.', '_'));
	}

	/** Which spellings are read differs among the versions of Spring Boot. */
	private static boolean isRead(ConfigurationPropertySource source, String setting) {
		return source.getConfigurationProperty(
				ConfigurationPropertyName.adapt(LockProperties.PREFIX + "." + setting, '.')) != null;
	}

	private static String upper(String name) {
		return name.toUpperCase(Locale.ROOT);
	}

}
