package io.distlock.autoconfigure.diagnostics;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.distlock.autoconfigure.LockProperties;
import io.distlock.support.ForeignText;
import io.distlock.support.NearestName;

/**
 * Explains properties that do not exist. Precedes the analyzer of Spring Boot, which
 * suggests no name, and prints the value, which may be a password.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final String PREFIX = "distributed-lock";

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(PREFIX);

	/** Names of other libraries for properties of this one. */
	private static final Map<String, List<String>> SYNONYMS = Map.of("timeout",
			List.of("wait-time", "command-timeout"));

	/** Parts of the address of a server of the locks' own. */
	private static final Map<String, String> ADDRESS = Map.of("host", "redis://host:port", "port", "redis://host:port",
			"username", "redis://user:password@host:port", "password", "redis://user:password@host:port");

	/** The name of this machine, which is never meant within a group. */
	private static final String HOST = "host";

	/** The name of a lock follows. */
	private static final String LOCKS = "locks.";

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unbound = cause.getUnboundProperties()
			.stream()
			.filter((property) -> ROOT.isAncestorOf(property.getName()))
			.sorted()
			.toList();
		if (unbound.isEmpty()) {
			return null;
		}
		String description = unbound.stream()
			.map((property) -> "The property distributed-lock." + written(relative(property.getName()))
					+ origin(property) + (isEmpty(property) ? " has no value." : " does not exist."))
			.collect(Collectors.joining(System.lineSeparator()));
		List<String> actions = new ArrayList<>();
		List<ConfigurationProperty> unknown = unbound.stream().filter((property) -> !isEmpty(property)).toList();
		if (unknown.size() < unbound.size()) {
			actions.add("Give it a value, or remove it to have its default.");
		}
		if (!unknown.isEmpty()) {
			actions.add(action(unknown.stream()
				.map((property) -> relative(property.getName()))
				.flatMap((name) -> meant(name).stream())
				.distinct()
				.collect(Collectors.joining(" or "))));
		}
		return new FailureAnalysis(description, String.join(" ", actions), cause);
	}

	/** An empty text is no duration, number or choice, so it is not bound either. */
	private static boolean isEmpty(ConfigurationProperty property) {
		String name = relative(property.getName());
		return property.getValue() instanceof CharSequence text && text.isEmpty()
				&& meant(name).contains(PREFIX + "." + written(name));
	}

	private static String action(String meant) {
		return (meant.isEmpty() ? "Remove it, or see docs/configuration.md for the properties that there are."
				: "Did you mean " + meant + "?")
				+ " Mind that a misspelt name in an environment variable or system property is not noticed; the name for an "
				+ "environment variable has no dashes: " + variable(meant.isEmpty() ? "wait-time" : meant) + ".";
	}

	private static String variable(String meant) {
		String first = meant.split(" or |=")[0];
		String name = first.startsWith(PREFIX) ? first : PREFIX + "." + first;
		return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
	}

	private static String origin(ConfigurationProperty property) {
		return (property.getOrigin() != null) ? " (" + written(property.getOrigin().toString()) + ")" : "";
	}

	/** Names of locks in it may be made of anything. */
	private static String written(String text) {
		return ForeignText.of(text);
	}

	private static String relative(ConfigurationPropertyName name) {
		return name.toString().substring(PREFIX.length() + 1);
	}

	/**
	 * Names that may be meant.
	 * @param name what was written, without the prefix
	 * @return the nearest of the same group, or others that end alike
	 */
	private static List<String> meant(String name) {
		int dot = name.lastIndexOf('.');
		String group = name.substring(0, dot + 1);
		String last = name.substring(dot + 1);
		List<String> all = names("", LockProperties.class);
		List<String> siblings = (group.startsWith(LOCKS) && group.length() > LOCKS.length())
				? names("", LockProperties.Lock.class)
				: all.stream()
					.filter((known) -> known.startsWith(group) && known.indexOf('.', group.length()) < 0)
					.map((known) -> known.substring(group.length()))
					.toList();
		if (group.endsWith("redis.") && ADDRESS.containsKey(last)) {
			return List.of(PREFIX + "." + written(group) + "url=" + ADDRESS.get(last));
		}
		List<String> near = near(last, siblings);
		return !near.isEmpty() ? near.stream().map((each) -> PREFIX + "." + written(group) + each).toList()
				: elsewhere(group, last, all).map((known) -> PREFIX + "." + known).toList();
	}

	private static List<String> near(String last, List<String> siblings) {
		List<String> synonyms = SYNONYMS.getOrDefault(last, List.of()).stream().filter(siblings::contains).toList();
		return !synonyms.isEmpty() ? synonyms
				: NearestName.of(last, siblings)
					.map(List::of)
					.orElseGet(() -> siblings.stream()
						.filter((known) -> known.startsWith(last + "-") || known.endsWith("-" + last))
						.toList());
	}

	private static Stream<String> elsewhere(String group, String last, List<String> all) {
		List<String> below = all.stream()
			.filter((known) -> known.startsWith(group) && (known.endsWith("." + last) || known.endsWith("-" + last)))
			.toList();
		return !below.isEmpty() ? below.stream() : all.stream()
			.filter((known) -> !known.equals(HOST) && (known.equals(last) || known.endsWith("." + last)));
	}

	private static List<String> names(String group, Class<?> type) {
		List<String> names = new ArrayList<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = group + dashed(component.getName());
			if (component.getType().isRecord()) {
				names.addAll(names(name + ".", component.getType()));
			}
			else if (component.getType() != Map.class) {
				names.add(name);
			}
		}
		return names;
	}

	private static String dashed(String name) {
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

}
