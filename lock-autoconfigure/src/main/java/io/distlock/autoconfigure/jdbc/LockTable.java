package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.util.ClassUtils;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.SchemaInitialization;
import io.distlock.jdbc.LockSchema;
import io.distlock.spi.TransientStoreException;

/** Creates the table of locks at startup, where this is wanted. */
final class LockTable {

	private static final boolean H2 = ClassUtils.isPresent("org.h2.Driver", LockTable.class.getClassLoader());

	private LockTable() {
	}

	/**
	 * Creates the table if it is missing.
	 * @param dataSource the database
	 * @param table the table
	 * @param when whether to do it
	 * @param property the property that says so
	 * @throws LockConfigurationException if the database refuses or does not answer
	 */
	static void initialize(DataSource dataSource, String table, SchemaInitialization when, String property) {
		if (when == SchemaInitialization.ALWAYS
				|| (when == SchemaInitialization.EMBEDDED && H2 && isEmbedded(dataSource))) {
			try {
				LockSchema.create(dataSource, table);
			}
			catch (TransientStoreException ex) {
				LockConfigurationException failure = new LockConfigurationException(
						"The table of locks could not be checked at startup: " + ex.getMessage() + ".",
						"Start the database first, or create the table as a migration and set " + property
								+ "=never: the application then starts without the database.");
				failure.initCause(ex);
				throw failure;
			}
			catch (LockStoreException ex) {
				LockConfigurationException failure = new LockConfigurationException(
						"The table of locks is missing in the database, or could not be checked: " + ex.getMessage()
								+ ".",
						"Give the user of the database the right to create it, or run the file "
								+ "io/distlock/jdbc/schema-<database>.sql of lock-jdbc yourself, for instance as a migration, "
								+ "and set " + property + "=never.");
				failure.initCause(ex);
				throw failure;
			}
		}
	}

	/** As Spring Boot understands it: the data are in the memory of this process. */
	private static boolean isEmbedded(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection()) {
			String url = connection.getMetaData().getURL();
			return url != null && url.contains(":h2:mem");
		}
		catch (SQLException ex) {
			return false;
		}
	}

}
