package io.distlock.spring.startup;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.distlock.LockOptions;
import io.distlock.LockSettings;
import io.distlock.OnBusy;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.startup.LockDefinition.Setting;

/** Describes all annotated methods of the application. */
public final class LockDefinitions {

	private static final String DEFAULT = "default";

	private static final String ANNOTATION = "annotation";

	private final LockedBeanValidator validator;

	private final Supplier<LockSettings> defaults;

	/**
	 * Creates a description.
	 * @param validator has found the annotated methods
	 * @param defaults the template's settings, for options that are not set
	 */
	LockDefinitions(LockedBeanValidator validator, Supplier<LockSettings> defaults) {
		this.validator = validator;
		this.defaults = defaults;
	}

	/**
	 * Returns the annotated methods found so far. After the start of the application,
	 * these are all methods.
	 * @return the definitions, by name
	 */
	public List<LockDefinition> all() {
		return this.validator.places()
			.stream()
			.map(this::definition)
			.distinct()
			.sorted(Comparator.comparing(LockDefinition::name).thenComparing(LockDefinition::method))
			.toList();
	}

	private LockDefinition definition(LockedBeanMethod place) {
		LockAttributes attributes = place.attributes();
		List<String> keys = !attributes.keys().isEmpty() ? attributes.keys()
				: attributes.key().isEmpty() ? List.of() : List.of(attributes.key());
		String mode = (place.permits() != null) ? place.permits() + " permits" : SettingText.of(attributes.mode());
		OnBusy choice = place.method().onBusy();
		String onBusy = SettingText.of(choice);
		return new LockDefinition(place.bean(), place.id().describe(), place.name(), keys, mode, attributes.condition(),
				place.method().configured().enabled(),
				(choice == OnBusy.FALLBACK) ? onBusy + " " + place.method().fallback() : onBusy, settings(place));
	}

	private Map<String, Setting> settings(LockedBeanMethod place) {
		ConfiguredLock configured = place.method().configured();
		String prefix = "distributed-lock.locks." + place.name();
		Map<String, Setting> found = new LinkedHashMap<>();
		found.put("enabled",
				new Setting(String.valueOf(configured.enabled()), configured.enabled() ? DEFAULT : prefix));
		found.put("on-busy", new Setting(SettingText.of(place.method().onBusy()), (configured.onBusy() != null) ? prefix
				: (place.attributes().onBusy() != OnBusy.THROW) ? ANNOTATION : DEFAULT));
		if (!place.method().fallback().isEmpty()) {
			found.put("fallback",
					new Setting(place.method().fallback(), (configured.fallback() != null) ? prefix : ANNOTATION));
		}
		// Later entries override earlier entries.
		add(found, this.defaults.get().options(), DEFAULT);
		add(found, place.method().options(), ANNOTATION);
		add(found, configured.options(), prefix);
		return found;
	}

	private static void add(Map<String, Setting> found, LockOptions options, String origin) {
		SettingText.ofAll(options).forEach((name, value) -> found.put(name, new Setting(value, origin)));
	}

}
