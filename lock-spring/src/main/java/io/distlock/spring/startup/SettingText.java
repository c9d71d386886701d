package io.distlock.spring.startup;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.springframework.util.ReflectionUtils;

import io.distlock.LockOptions;
import io.distlock.support.DurationText;

/** Writes settings as text, in the words of the configuration. */
final class SettingText {

	private SettingText() {
	}

	/**
	 * Returns the options that are set.
	 * @param options the options
	 * @return a new map of their values by the names of their properties
	 */
	static Map<String, String> ofAll(LockOptions options) {
		Map<String, String> texts = new LinkedHashMap<>();
		for (RecordComponent component : LockOptions.class.getRecordComponents()) {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), options);
			if (value != null) {
				texts.put(property(component), of(value));
			}
		}
		return texts;
	}

	private static String property(RecordComponent component) {
		return component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

	static String of(Object value) {
		if (value instanceof Duration duration) {
			return DurationText.of(duration);
		}
		if (value.equals(Integer.MAX_VALUE)) {
			return "unlimited";
		}
		return (value instanceof Enum<?> choice) ? choice.name().toLowerCase(Locale.ROOT).replace('_', '-')
				: value.toString();
	}

}
