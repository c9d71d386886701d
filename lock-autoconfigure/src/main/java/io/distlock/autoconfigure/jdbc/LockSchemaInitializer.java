package io.distlock.autoconfigure.jdbc;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.jdbc.LockSchema;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.BoundedCall;

/**
 * Creates the table of locks when Spring Boot would run a script. It runs the script of
 * lock-jdbc for the configured table.
 */
final class LockSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	/**
	 * The limit of the wait. It exceeds the wait of pools for a connection, because pools
	 * know the reason of a failure.
	 */
	static final Duration LIMIT = Duration.ofSeconds(60);

	private final String table;

	private final DatabaseInitializationMode mode;

	private final String property;

	private final Duration limit;

	/**
	 * Creates an initializer.
	 * @param dataSource the database
	 * @param table the table
	 * @param mode whether to create it
	 * @param property the property that sets {@code mode}
	 * @param limit how long the initialization may take
	 */
	LockSchemaInitializer(DataSource dataSource, String table, DatabaseInitializationMode mode, String property,
			Duration limit) {
		super(dataSource, new DatabaseInitializationSettings());
		this.table = table;
		this.mode = mode;
		this.property = property;
		this.limit = limit;
	}

	/**
	 * Creates the table on a separate thread. A hanging server may block the thread for
	 * ever, and must not block the start of the application.
	 */
	@Override
	public boolean initializeDatabase() {
		try {
			return BoundedCall.<Boolean>run("distributed-lock-jdbc-schema", BoundedCall.within(this.limit.toNanos()),
					(answer) -> answer.complete(createIfWanted()));
		}
		catch (TimeoutException ex) {
			if (this.mode == DatabaseInitializationMode.ALWAYS) {
				throw unreachable("The database did not answer within " + this.limit.toMillis() + " ms", ex);
			}
			// The startup check reports the failure.
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unreachable("The thread was interrupted", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
		}
	}

	private boolean createIfWanted() {
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

	/**
	 * Returns whether the database is embedded. Without a driver of an embedded database,
	 * it sends no request to a server.
	 */
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
			throw unreachable(String.valueOf(ex.getMessage()), ex);
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

	private LockConfigurationException unreachable(String reason, Exception cause) {
		return new LockConfigurationException("The table of locks could not be checked at startup: " + reason + ".",
				"Start the database first, or create the table as a migration and set " + this.property
						+ "=never: the application then starts without the database.",
				cause);
	}

}
