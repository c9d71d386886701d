package io.distlock.jdbc;

import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;

/**
 * Lets the PostgreSQL driver return notifications as soon as they arrive, where that is
 * sure to work: the driver connects directly, the application has no socket factory of
 * its own, and the driver finds the class.
 */
final class PromptSockets {

	private static final String URL = "jdbc:postgresql:";

	private static final String PROPERTY = "socketFactory";

	/** A section of a file of the PostgreSQL client, which may name a factory. */
	private static final String SERVICE = "service";

	/** Defaults of the driver, which may name a factory. */
	private static final String DEFAULTS = "org/postgresql/driverconfig.properties";

	private static final String FACTORY = PromptSocketFactory.class.getName();

	private PromptSockets() {
	}

	static void use(HikariConfig config) {
		driver().ifPresent((driver) -> use(config, driver));
	}

	static void use(HikariConfig config, ClassLoader driver) {
		String url = config.getJdbcUrl();
		boolean direct = url != null && url.startsWith(URL) && config.getDataSource() == null
				&& config.getDataSourceClassName() == null;
		if (direct && !isChosen(url, config.getDataSourceProperties()) && driver.getResource(DEFAULTS) == null) {
			// A copy of a configuration shares its properties with the original, so those
			// of the application would change.
			// mutant: shared-properties
			config.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + PROPERTY + "=" + FACTORY);
		}
	}

	private static boolean isChosen(String url, Properties properties) {
		// In the URL it may be part of a longer name, such as socketFactoryArg. A service
		// may be part of a host's name, and is none there.
		// mutant: factory-of-the-application
		boolean named = url.contains(PROPERTY) || properties.containsKey(PROPERTY);
		boolean service = Stream.of("?", "&").anyMatch((before) -> url.contains(before + SERVICE + "="))
				|| properties.containsKey(SERVICE);
		return named || service;
	}

	/**
	 * The class loader of the driver, if it finds the factory: in a server the driver may
	 * have one that does not know this module.
	 */
	private static Optional<ClassLoader> driver() {
		try {
			ClassLoader own = PromptSockets.class.getClassLoader();
			ClassLoader driver = Class.forName("org.postgresql.PGConnection", false, own).getClassLoader();
			Class.forName(FACTORY, false, driver);
			return Optional.of(driver);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return Optional.empty();
		}
	}

}
