package io.distlock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.distlock.LockSettings;

/** Turns properties into settings, and finds out what they leave open. */
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
			.application(application(properties.application()))
			.host(host(properties.host()));
		return (properties.maxWaiters() != null) ? settings.maxWaiters(properties.maxWaiters()) : settings;
	}

	private String application(@Nullable String configured) {
		return StringUtils.hasText(configured) ? configured
				: this.environment.getProperty("spring.application.name", LockSettings.DEFAULTS.application());
	}

	/** Containers have their name in {@code HOSTNAME}, which needs no name service. */
	private String host(@Nullable String configured) {
		String host = StringUtils.hasText(configured) ? configured : this.environment.getProperty("HOSTNAME");
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
