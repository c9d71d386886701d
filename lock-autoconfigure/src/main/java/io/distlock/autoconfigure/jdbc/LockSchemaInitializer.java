package io.distlock.autoconfigure.jdbc;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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

/**
 * Creates the table of locks where Spring Boot would run a script. The script is that of
 * lock-jdbc, for the table that is configured.
 */
final class LockSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	/** Longer than pools wait for a connection, as they know the reason. */
	static final Duration LIMIT = Duration.ofSeconds(60);

	private final String table;

	private final DatabaseInitializationMode mode;

	private final String property;

	private final Duration limit;

	/**
	 * Prepares it.
	 * @param dataSource the database
	 * @param table the table
	 * @param mode whether to create it
	 * @param property the property that sets {@code mode}
	 * @param limit how long it may take
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
	 * A connection to a server that hangs may keep its thread for ever, which must not be
	 * the one that starts the application.
	 */
	@Override
	public boolean initializeDatabase() {
		FutureTask<Boolean> task = new FutureTask<>(this::createIfWanted);
		Thread thread = new Thread(task, "distributed-lock-jdbc-schema");
		thread.setDaemon(true);
		thread.start();
		try {
			return task.get(this.limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			thread.interrupt();
			if (this.mode == DatabaseInitializationMode.ALWAYS) {
				throw unreachable("The database did not answer within " + this.limit.toMillis() + " ms", ex);
			}
			// The startup check reports it.
			return false;
		}
		catch (InterruptedException ex) {
			thread.interrupt();
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
