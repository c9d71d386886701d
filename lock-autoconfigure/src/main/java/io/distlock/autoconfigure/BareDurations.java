package io.distlock.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

import io.distlock.support.ForeignText;

/**
 * Warns of a duration such as {@code wait-time: 3}, or {@code lease-time: 300}. Spring
 * Boot reads this number as milliseconds. The author most likely meant seconds.
 */
final class BareDurations {

	private static final Logger logger = LoggerFactory.getLogger(BareDurations.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(LockProperties.PREFIX);

	private static final Pattern SMALL_NUMBER = Pattern.compile("\\+?0*[1-9]\\d?");

	/** Nobody holds a lock for so short on purpose without saying so. */
	private static final Pattern SMALL_HOLD = Pattern.compile("\\+?0*[1-9]\\d{0,2}");

	private static final Set<String> HOLDS = Set.of("leasetime", "minhold", "maxhold");

	private static final Set<String> DURATIONS = Stream.of(LockProperties.class, LockProperties.Lock.class)
		.flatMap((type) -> Arrays.stream(type.getRecordComponents()))
		.filter((component) -> component.getType() == Duration.class)
		.map(RecordComponent::getName)
		.map((name) -> name.toLowerCase(Locale.ROOT))
		.collect(Collectors.toUnmodifiableSet());

	/** Those for all locks, also of variables whose names do not tell where a dash is. */
	private static final List<ConfigurationPropertyName> OF_ALL = Arrays
		.stream(LockProperties.class.getRecordComponents())
		.filter((component) -> component.getType() == Duration.class)
		.map((component) -> ROOT.append(DataObjectPropertyName.toDashedForm(component.getName())))
		.toList();

	private BareDurations() {
	}

	static void warn(Environment environment) {
		Set<ConfigurationPropertyName> names = new TreeSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			Stream<ConfigurationPropertyName> listed = (source instanceof IterableConfigurationPropertySource iterable)
					? iterable.stream().filter(BareDurations::isDuration) : Stream.empty();
			// The first source that has the name is the one that counts.
			Stream.concat(listed, OF_ALL.stream())
				.map(source::getConfigurationProperty)
				.filter(Objects::nonNull)
				.filter((property) -> names.add(property.getName()))
				.forEach((property) -> warn(property.getName(),
						environment.resolvePlaceholders(String.valueOf(property.getValue())).strip()));
		}
	}

	private static boolean isDuration(ConfigurationPropertyName name) {
		return ROOT.isAncestorOf(name) && DURATIONS.contains(name.getLastElement(Form.UNIFORM));
	}

	private static void warn(ConfigurationPropertyName name, String value) {
		Pattern small = HOLDS.contains(name.getLastElement(Form.UNIFORM)) ? SMALL_HOLD : SMALL_NUMBER;
		if (small.matcher(value).matches()) {
			logger.warn(
					"The property {} is {}, which is {} ms, because a number without a unit is in milliseconds. "
							+ "Write {}s for seconds, or {}ms",
					ForeignText.of(name.toString()), value, value, value, value);
		}
	}

}
