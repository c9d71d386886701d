package io.distlock.spring.startup;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

import io.distlock.LockOptions;
import io.distlock.LockSettings;
import io.distlock.OnBusy;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.support.DurationText;

/** Describes all annotated methods of the application. */
public final class LockDefinitions {

	private final LockedBeanValidator validator;

	private final Supplier<LockSettings> defaults;

	/**
	 * Creates a description.
	 * @param validator has found the annotated methods
	 * @param defaults the template's settings, for what is left open
	 */
	LockDefinitions(LockedBeanValidator validator, Supplier<LockSettings> defaults) {
		this.validator = validator;
		this.defaults = defaults;
	}

	/**
	 * Returns the annotated methods found so far, all of them once the application has
	 * started.
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
		String mode = (place.permits() != null) ? place.permits() + " permits" : text(attributes.mode());
		OnBusy choice = place.method().onBusy();
		String onBusy = text(choice);
		return new LockDefinition(place.bean(), place.id().describe(), place.name(), keys, mode, attributes.condition(),
				place.method().configured().enabled(),
				(choice == OnBusy.FALLBACK) ? onBusy + " " + place.method().fallback() : onBusy, settings(place));
	}

	private Map<String, LockDefinition.Setting> settings(LockedBeanMethod place) {
		ConfiguredLock configured = place.method().configured();
		LockOptions options = configured.options();
		LockOptions merged = place.method().options();
		LockSettings settings = this.defaults.get();
		LockOptions general = new LockOptions(settings.waitTime(), settings.leaseTime(), null, null, null, null, null,
				null)
			.orElse(settings.options());
		String prefix = "distributed-lock.locks." + place.name();
		Map<String, LockDefinition.Setting> found = new LinkedHashMap<>();
		found.put("enabled", new LockDefinition.Setting(String.valueOf(configured.enabled()),
				configured.enabled() ? "default" : prefix));
		found.put("on-busy", new LockDefinition.Setting(text(place.method().onBusy()), (configured.onBusy() != null)
				? prefix : (place.attributes().onBusy() != OnBusy.THROW) ? "annotation" : "default"));
		if (!place.method().fallback().isEmpty()) {
			found.put("fallback", new LockDefinition.Setting(place.method().fallback(),
					(configured.fallback() != null) ? prefix : "annotation"));
		}
		for (RecordComponent component : LockOptions.class.getRecordComponents()) {
			String name = component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
			Object override = value(component, options);
			Object chosen = (override != null) ? override : value(component, merged);
			String origin = (override != null) ? prefix : "annotation";
			if (chosen == null) {
				chosen = value(component, general);
				origin = "default";
			}
			if (chosen != null) {
				found.put(name, new LockDefinition.Setting(text(chosen), origin));
			}
		}
		return found;
	}

	private static @Nullable Object value(RecordComponent component, LockOptions options) {
		return ReflectionUtils.invokeMethod(component.getAccessor(), options);
	}

	private static String text(Object value) {
		if (value instanceof Duration duration) {
			return DurationText.of(duration);
		}
		return (value instanceof Enum<?> choice) ? choice.name().toLowerCase(Locale.ROOT).replace('_', '-')
				: value.toString();
	}

}
