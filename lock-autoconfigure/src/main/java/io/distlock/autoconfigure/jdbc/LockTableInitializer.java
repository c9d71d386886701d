package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.util.ClassUtils;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.SchemaInitialization;
import io.distlock.jdbc.LockSchema;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;

/** Creates the table of locks at startup, if it is configured to. */
final class LockTableInitializer {

	private static final boolean H2 = ClassUtils.isPresent("org.h2.Driver",
			LockTableInitializer.class.getClassLoader());

	/** HikariCP; the pools of Tomcat and Apache, and what has no pool. */
	private static final List<String> ADDRESSES = List.of("jdbcUrl", "url");

	/** What is in the memory of this process answers sooner. */
	private static final Duration LOOK = Duration.ofSeconds(10);

	/** The few statements have 10 s each. */
	private static final Duration CREATION = Duration.ofSeconds(60);

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
		initialize(dataSource, table, when, property, LOOK, CREATION);
	}

	static void initialize(DataSource dataSource, String table, SchemaInitialization when, String property,
			Duration look, Duration creation) {
		if (!isWanted(dataSource, when, look)) {
			return;
		}
		try {
			create(dataSource, table, creation);
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

	private static void create(DataSource dataSource, String table, Duration limit) {
		try {
			within(limit, () -> {
				LockSchema.create(dataSource, table);
				return true;
			});
		}
		catch (TimeoutException ex) {
			throw new TransientStoreException("", "The database did not answer while table " + table
					+ " of locks was created: it took longer than " + limit.toMillis() + " ms", ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = FutureFailures.unwrap(ex);
			if (cause instanceof LockStoreException failure) {
				throw failure;
			}
			throw new LockStoreException("",
					"The table " + table + " of locks could not be created: " + ForeignText.messageOf(cause), cause);
		}
	}

	private static boolean isWanted(DataSource dataSource, SchemaInitialization when, Duration look) {
		return switch (when) {
			case ALWAYS -> true;
			case EMBEDDED -> H2 && isEmbedded(dataSource, look);
			case NEVER -> false;
		};
	}

	/** As Spring Boot understands it: the data are in the memory of this process. */
	private static boolean isEmbedded(DataSource dataSource, Duration look) {
		BeanWrapper pool = PropertyAccessorFactory.forBeanPropertyAccess(dataSource);
		for (String address : ADDRESSES) {
			if (pool.isReadableProperty(address) && pool.getPropertyValue(address) instanceof String url) {
				return isInMemory(url);
			}
		}
		try {
			return within(look, () -> {
				try (Connection connection = dataSource.getConnection()) {
					return isInMemory(connection.getMetaData().getURL());
				}
			});
		}
		catch (TimeoutException | ExecutionException ex) {
			// The startup check reports a database that does not answer.
			return false;
		}
	}

	private static boolean isInMemory(@Nullable String url) {
		return url != null && url.contains(":h2:mem");
	}

	/**
	 * A connection to a server that hangs may keep its thread for ever, which must not be
	 * the one that starts the application.
	 */
	private static boolean within(Duration limit, Callable<Boolean> work) throws TimeoutException, ExecutionException {
		FutureTask<Boolean> task = new FutureTask<>(work);
		Thread thread = new Thread(task, "distributed-lock-jdbc-start");
		thread.setDaemon(true);
		thread.start();
		try {
			return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			thread.interrupt();
			throw ex;
		}
		catch (InterruptedException ex) {
			thread.interrupt();
			Thread.currentThread().interrupt();
			throw new ExecutionException(ex);
		}
	}

}
