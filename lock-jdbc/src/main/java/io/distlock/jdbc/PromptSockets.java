package io.distlock.jdbc;

import com.zaxxer.hikari.HikariConfig;

/**
 * Lets the PostgreSQL driver return notifications as soon as they arrive, where that is
 * sure to work: the driver connects directly, the application has no socket factory of
 * its own, and the driver finds the class.
 */
final class PromptSockets {

	private static final String URL = "jdbc:postgresql:";

	private static final String PROPERTY = "socketFactory";

	private static final String FACTORY = PromptSocketFactory.class.getName();

	private PromptSockets() {
	}

	static void use(HikariConfig config) {
		String url = config.getJdbcUrl();
		boolean direct = url != null && url.startsWith(URL) && config.getDataSource() == null
				&& config.getDataSourceClassName() == null;
		if (!direct || !isFoundByDriver()) {
			return;
		}
		// In the URL it may be part of a longer name, such as socketFactoryArg.
		// mutant: factory-of-the-application
		boolean chosen = url.contains(PROPERTY) || config.getDataSourceProperties().containsKey(PROPERTY);
		if (!chosen) {
			config.addDataSourceProperty(PROPERTY, FACTORY);
		}
	}

	/** In a server the driver may have a class loader that does not know this module. */
	private static boolean isFoundByDriver() {
		try {
			ClassLoader own = PromptSockets.class.getClassLoader();
			Class.forName(FACTORY, false, Class.forName("org.postgresql.PGConnection", false, own).getClassLoader());
			return true;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

}
