package io.distlock.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Refuses properties that a {@code LockSettings} bean of the application's own hides. */
final class OwnSettingsCheck {

	OwnSettingsCheck(Environment environment) {
		Binder binder = Binder.get(environment);
		List<String> hidden = Stream
			.of("wait-time", "lease-time", "command-timeout", "release", "max-waiters", "on-lost", "max-hold",
					"application", "host")
			.map((name) -> LockProperties.PREFIX + "." + name)
			.filter((name) -> binder.bind(name, String.class).isBound())
			.toList();
		if (!hidden.isEmpty()) {
			throw new LockConfigurationException(
					"The application has a LockSettings bean of its own, so these properties have no effect: "
							+ String.join(", ", hidden) + ".",
					"Replace the bean by a LockSettingsBuilderCustomizer bean, which is applied after the properties, "
							+ "or remove the properties.");
		}
	}

}
