package io.distlock.autoconfigure.jdbc;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.jdbc.LockSchema;
import io.distlock.spi.TransientStoreException;

/**
 * Creates the table of locks where Spring Boot would run a script. The script is that of
 * lock-jdbc, for the table that is configured.
 */
final class LockSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private final String table;

	private final DatabaseInitializationMode mode;

	private final String property;

	/**
	 * Prepares it.
	 * @param dataSource the database
	 * @param table the table
	 * @param mode whether to create it
	 * @param property the property that sets {@code mode}
	 */
	LockSchemaInitializer(DataSource dataSource, String table, DatabaseInitializationMode mode, String property) {
		super(dataSource, new DatabaseInitializationSettings());
		this.table = table;
		this.mode = mode;
		this.property = property;
	}

	@Override
	public boolean initializeDatabase() {
		boolean wanted = switch (this.mode) {
			case ALWAYS -> true;
			case EMBEDDED -> isEmbeddedDatabase();
			case NEVER -> false;
		};
		if (wanted) {
			create();
		}
		return wanted;
	}

	/** A server is not asked where no driver of an embedded database is there. */
	@Override
	protected boolean isEmbeddedDatabase() {
		return EmbeddedDatabaseConnection.get(getClass().getClassLoader()) != EmbeddedDatabaseConnection.NONE
				&& super.isEmbeddedDatabase();
	}

	private void create() {
		try {
			LockSchema.create(getDataSource(), this.table);
		}
		catch (TransientStoreException ex) {
			throw new LockConfigurationException(
					"The table of locks could not be checked at startup: " + ex.getMessage() + ".",
					"Start the database first, or create the table as a migration and set " + this.property
							+ "=never: the application then starts without the database.",
					ex);
		}
		catch (LockStoreException ex) {
			throw new LockConfigurationException(
					"The table of locks is missing in the database, or could not be checked: " + ex.getMessage() + ".",
					"Give the user of the database the right to create it, or run the file "
							+ "io/distlock/jdbc/schema-<database>.sql of lock-jdbc yourself, for instance as a migration, "
							+ "and set " + this.property + "=never.",
					ex);
		}
	}

}
