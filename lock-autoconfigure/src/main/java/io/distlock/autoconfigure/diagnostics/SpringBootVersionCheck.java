package io.distlock.autoconfigure.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

import io.distlock.autoconfigure.LockConfigurationException;

/**
 * Refuses to start on a Spring Boot that is too old. Without this check a start there
 * ends with the name of a class that is missing.
 */
final class SpringBootVersionCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private static final int OLDEST_MAJOR = 3;

	private static final int OLDEST_MINOR = 2;

	private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");

	private final @Nullable String version;

	SpringBootVersionCheck() {
		this(SpringBootVersion.getVersion());
	}

	/**
	 * Creates a check.
	 * @param version the version of Spring Boot, or {@code null} if its jar does not say
	 */
	SpringBootVersionCheck(@Nullable String version) {
		this.version = version;
	}

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		check();
	}

	void check() {
		if (this.version != null && isTooOld(this.version)) {
			throw new LockConfigurationException("Distributed locks need Spring Boot " + OLDEST_MAJOR + "."
					+ OLDEST_MINOR + " or later, found " + this.version + ".",
					"Update Spring Boot, or remove the starter for locks.");
		}
	}

	private static boolean isTooOld(String version) {
		Matcher parts = VERSION.matcher(version);
		if (!parts.matches()) {
			return false;
		}
		int major = Integer.parseInt(parts.group(1));
		return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && Integer.parseInt(parts.group(2)) < OLDEST_MINOR);
	}

}
