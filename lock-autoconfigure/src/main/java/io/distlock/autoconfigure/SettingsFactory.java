package io.distlock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.distlock.HoldPolicy;
import io.distlock.LockSettings;

/** Turns properties into settings, and finds out what they leave open. */
final class SettingsFactory {

	private final Environment environment;

	SettingsFactory(Environment environment) {
		this.environment = environment;
	}

	LockSettings create(LockProperties properties) {
		return new LockSettings(properties.waitTime(), properties.leaseTime(),
				commandTimeout(properties.commandTimeout(), properties.leaseTime()), properties.release(),
				(properties.maxWaiters() != null) ? properties.maxWaiters() : LockSettings.DEFAULTS.maxWaiters(),
				application(properties.application()), host(properties.host()),
				new HoldPolicy(properties.onLost(), properties.maxHold(), null));
	}

	/** A short lease alone should not make the default timeout an error. */
	private static Duration commandTimeout(@Nullable Duration configured, Duration leaseTime) {
		Duration preferred = LockSettings.DEFAULTS.commandTimeout();
		Duration longest = leaseTime.dividedBy(3);
		return (configured != null) ? configured : (preferred.compareTo(longest) < 0) ? preferred : longest;
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
