package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.util.ClassUtils;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.SchemaInitialization;
import io.distlock.jdbc.LockSchema;
import io.distlock.spi.TransientStoreException;

/** Creates the table of locks at startup, if it is configured to. */
final class LockTableInitializer {

	private static final boolean H2 = ClassUtils.isPresent("org.h2.Driver",
			LockTableInitializer.class.getClassLoader());

	private LockTableInitializer() {
	}

	/**
	 * Creates the table if it is missing.
	 * @param dataSource the database
	 * @param table the table
	 * @param when whether to create it
	 * @param property the property that sets {@code when}
	 * @throws LockConfigurationException if the database refuses or does not answer
	 */
	static void initialize(DataSource dataSource, String table, SchemaInitialization when, String property) {
		if (!isWanted(dataSource, when)) {
			return;
		}
		try {
			LockSchema.create(dataSource, table);
		}
		catch (TransientStoreException ex) {
			throw new LockConfigurationException(
					"The table of locks could not be checked at startup: " + ex.getMessage() + ".",
					"Start the database first, or create the table as a migration and set " + property
							+ "=never: the application then starts without the database.",
					ex);
		}
		catch (LockStoreException ex) {
			throw new LockConfigurationException(
					"The table of locks is missing in the database, or could not be checked: " + ex.getMessage() + ".",
					"Give the user of the database the right to create it, or run the file "
							+ "io/distlock/jdbc/schema-<database>.sql of lock-jdbc yourself, for instance as a migration, "
							+ "and set " + property + "=never.",
					ex);
		}
	}

	private static boolean isWanted(DataSource dataSource, SchemaInitialization when) {
		return switch (when) {
			case ALWAYS -> true;
			case EMBEDDED -> H2 && isEmbedded(dataSource);
			case NEVER -> false;
		};
	}

	/** As Spring Boot understands it: the data are in the memory of this process. */
	private static boolean isEmbedded(DataSource dataSource) {
		BeanWrapper pool = PropertyAccessorFactory.forBeanPropertyAccess(dataSource);
		// A pool of HikariCP knows its address. A connection to a server that hangs may
		// keep the start of the application for ever.
		if (pool.isReadableProperty("jdbcUrl") && pool.getPropertyValue("jdbcUrl") instanceof String url) {
			return url.contains(":h2:mem");
		}
		try (Connection connection = dataSource.getConnection()) {
			String url = connection.getMetaData().getURL();
			return url != null && url.contains(":h2:mem");
		}
		catch (SQLException ex) {
			return false;
		}
	}

}
