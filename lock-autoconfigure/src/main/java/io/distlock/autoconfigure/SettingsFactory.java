package io.distlock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.distlock.LockSettings;

/** Turns properties into settings, and determines the values that are not set. */
final class SettingsFactory {

	private final Environment environment;

	SettingsFactory(Environment environment) {
		this.environment = environment;
	}

	LockSettings.Builder create(LockProperties properties) {
		LockSettings.Builder settings = LockSettings.builder()
			.waitTime(properties.waitTime())
			.leaseTime(properties.leaseTime())
			.commandTimeout(properties.commandTimeout())
			.release(properties.release())
			.onLost(properties.onLost())
			.maxHold(properties.maxHold())
			.application(this.environment.getProperty("spring.application.name", LockSettings.DEFAULTS.application()))
			.host(host());
		return (properties.maxWaiters() != null) ? settings.maxWaiters(properties.maxWaiters()) : settings;
	}

	/**
	 * Refuses properties that a {@code LockSettings} bean of the application hides.
	 */
	void refuseHidden() {
		Binder binder = Binder.get(this.environment);
		List<String> hidden = Stream
			.of("wait-time", "lease-time", "command-timeout", "release", "max-waiters", "on-lost", "max-hold")
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

	/**
	 * Returns the name of the host. Containers have it in {@code HOSTNAME}, which needs
	 * no name service.
	 */
	private String host() {
		String host = this.environment.getProperty("HOSTNAME");
		if (StringUtils.hasText(host)) {
			return host;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return LockSettings.DEFAULTS.host();
		}
	}

}
