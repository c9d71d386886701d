package io.distlock.lab.jvm;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.StandardEnvironment;

/** Logging of a process that starts no Spring Boot application. */
public final class PlainLogging {

	private PlainLogging() {
	}

	/** Logs errors only, from here on. */
	public static void errorsOnly() {
		LoggingSystem logging = LoggingSystem.get(PlainLogging.class.getClassLoader());
		logging.beforeInitialize();
		logging.initialize(new LoggingInitializationContext(new StandardEnvironment()), null, null);
		logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
	}

}
