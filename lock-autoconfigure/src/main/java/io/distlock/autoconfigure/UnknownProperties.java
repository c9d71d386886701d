package io.distlock.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;

import io.distlock.support.ForeignText;
import io.distlock.support.NearestName;

/**
 * Warns once of properties {@code distributed-lock.*} that no module of this application
 * knows. After a misspelling, a lock has other times than its operator believes. An
 * unknown property is not an error, because configuration that several versions share may
 * contain newer names.
 */
final class UnknownProperties implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(LockProperties.PREFIX);

	/** Properties that are followed by the name of a lock or the id of a store. */
	private static final List<String> MAPS = List.of("locks", "stores");

	/** Names of other libraries for properties of this one. */
	private static final Map<String, List<String>> SYNONYMS = Map.of("timeout",
			List.of("wait-time", "command-timeout"));

	/** Parts of the address of a separate server for locks. */
	private static final List<String> ADDRESS = List.of("host", "port", "username", "password");

	private final ListableBeanFactory beans;

	private final Environment environment;

	/**
	 * Creates the check.
	 * @param beans has the types of all properties
	 * @param environment has the properties that are set
	 */
	UnknownProperties(ListableBeanFactory beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<ConfigurationPropertyName> set = set();
		List<LockVariables.Candidate> variables = LockVariables.candidates(this.environment);
		if (!set.isEmpty() || !variables.isEmpty()) {
			List<String> known = known();
			Stream
				.concat(warnings(set, known).stream(),
						variables.stream().flatMap((variable) -> LockVariables.whyIgnored(variable, known).stream()))
				.forEach((warning) -> logger.warn("{}", warning));
		}
	}

	/**
	 * Returns the properties that are set. Like Spring Boot, it omits system properties,
	 * and environment variables, of which others look like properties.
	 */
	private List<ConfigurationPropertyName> set() {
		UnboundElementsSourceFilter files = new UnboundElementsSourceFilter();
		List<ConfigurationPropertyName> names = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable && files.apply(source)) {
				iterable.stream()
					.filter(ROOT::isAncestorOf)
					.filter((name) -> !isEmpty(source.getConfigurationProperty(name)))
					.forEach(names::add);
			}
		}
		return names;
	}

	/** Returns whether a value is empty, like a YAML group with only comments in it. */
	private static boolean isEmpty(@Nullable ConfigurationProperty property) {
		return property != null && "".equals(property.getValue());
	}

	/**
	 * Returns the names of all properties without the root. For a map, returns the names
	 * within one entry.
	 */
	private List<String> known() {
		List<String> known = new ArrayList<>();
		for (String bean : this.beans.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
			Class<?> type = this.beans.getType(bean);
			ConfigurationProperties properties = this.beans.findAnnotationOnBean(bean, ConfigurationProperties.class);
			String prefix = (properties != null) ? MergedAnnotation.from(properties).getString("prefix") : "";
			if (prefix.equals(LockProperties.PREFIX)) {
				known.addAll(names("", LockProperties.class));
			}
			else if (prefix.startsWith(LockProperties.PREFIX + ".") && type != null) {
				known.addAll(names(prefix.substring(LockProperties.PREFIX.length() + 1) + ".", type));
			}
		}
		// A factory may bind properties that are not a bean.
		this.beans.getBeanProvider(LockStoreFactory.class)
			.stream()
			.map((factory) -> factory.type() + ".")
			.filter((group) -> known.stream().noneMatch((name) -> name.startsWith(group)))
			.toList()
			.forEach((group) -> known.add(group + "*"));
		return known;
	}

	private static List<String> names(String group, Class<?> type) {
		if (!type.isRecord()) {
			return List.of(group + "*");
		}
		List<String> names = new ArrayList<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = group + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				names.addAll(names(name + ".", component.getType()));
			}
			else if (!MAPS.contains(name)) {
				names.add(name);
				if (!BeanUtils.isSimpleValueType(component.getType())) {
					names.add(name + ".*");
				}
			}
		}
		return names;
	}

	static List<String> warnings(List<ConfigurationPropertyName> set, List<String> known) {
		TreeSet<String> warnings = new TreeSet<>();
		for (ConfigurationPropertyName name : set) {
			ConfigurationPropertyName property = name;
			while (property.isLastElementIndexed() && property.getNumberOfElements() > 1
					&& isNumber(property.getLastElement(ConfigurationPropertyName.Form.UNIFORM))) {
				property = property.getParent();
			}
			String text = property.subName(1).toString();
			String scope = scope(property);
			List<String> names = scope.isEmpty() ? known
					: scope.startsWith(MAPS.get(0)) ? names("", LockProperties.Lock.class) : ofStore(known);
			String relative = text.substring(scope.length());
			if (!isKnown(relative, names)) {
				warnings.add(
						"The property distributed-lock." + ForeignText.of(text) + " " + ofMissingModule(relative, names)
							.orElseGet(() -> "does not exist and has no effect." + meant(scope, relative, names)));
			}
		}
		return List.copyOf(warnings);
	}

	/** Returns the settings that an entry of {@code stores} may have. */
	static List<String> ofStore(List<String> known) {
		return Stream.concat(Stream.of("type"), known.stream().filter((name) -> name.contains("."))).toList();
	}

	private static boolean isNumber(String element) {
		return element.chars().allMatch(Character::isDigit);
	}

	/**
	 * Returns {@code locks.stock.} for a setting of one lock, and a similar prefix for a
	 * store.
	 */
	private static String scope(ConfigurationPropertyName property) {
		return (property.getNumberOfElements() > 3
				&& MAPS.contains(property.getElement(1, ConfigurationPropertyName.Form.UNIFORM)))
						? property.subName(1).chop(2).toString() + "." : "";
	}

	private static boolean isKnown(String relative, List<String> names) {
		ConfigurationPropertyName written = ConfigurationPropertyName.adapt(relative, '.');
		return names.stream()
			.anyMatch((name) -> name.endsWith(".*")
					? ConfigurationPropertyName.adapt(name.substring(0, name.length() - 2), '.').isAncestorOf(written)
					: ConfigurationPropertyName.adapt(name, '.').equals(written));
	}

	/** Somebody may rely on the property, so a missing module is no misspelling. */
	private static Optional<String> ofMissingModule(String relative, List<String> names) {
		String type = relative.substring(0, relative.indexOf('.') + 1);
		return type.isEmpty() || names.stream().anyMatch((name) -> name.startsWith(type)) ? Optional.empty()
				: StoreTypes.toAdd(type.substring(0, type.length() - 1))
					.map((module) -> "has no effect, because the module of this store is not on the class path. Add "
							+ module + ", or remove the property.");
	}

	private static String meant(String scope, String relative, List<String> names) {
		int dot = relative.lastIndexOf('.');
		String group = relative.substring(0, dot + 1);
		String last = relative.substring(dot + 1);
		if (group.equals("redis.") && ADDRESS.contains(last)) {
			return " Did you mean " + written(scope + "redis.url") + "=redis://user:password@host:port?";
		}
		if (scope.isEmpty() && isOfLock(group, last, names)) {
			return " Did you mean " + written("locks." + group.replaceFirst("^lock\\.", "") + last) + "?";
		}
		List<String> siblings = names.stream()
			.filter((name) -> name.startsWith(group) && name.indexOf('.', group.length()) < 0)
			.map((name) -> name.substring(group.length()))
			.toList();
		List<String> near = near(last, siblings).stream().map((name) -> group + name).toList();
		String meant = (near.isEmpty() ? elsewhere(last, names) : near).stream()
			.map((name) -> written(scope + name))
			.reduce((one, other) -> one + " or " + other)
			.orElse("");
		return meant.isEmpty() ? "" : " Did you mean " + meant + "?";
	}

	/** Returns whether a name may be that of a setting of one lock, without "locks". */
	private static boolean isOfLock(String group, String last, List<String> names) {
		return !group.isEmpty() && !group.equals("lock.") && !last.equals("enabled")
				&& names.stream().noneMatch((name) -> name.startsWith(group))
				&& isKnown(last, names("", LockProperties.Lock.class));
	}

	private static String written(String name) {
		return LockProperties.PREFIX + "." + ForeignText.of(name);
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

	private static List<String> elsewhere(String last, List<String> names) {
		return names.stream()
			.filter((known) -> known.equals(last) || known.endsWith("." + last) || known.endsWith("-" + last))
			.toList();
	}

}
