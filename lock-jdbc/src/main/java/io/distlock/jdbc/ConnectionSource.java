package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.support.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a started store its connections, from the application's {@link DataSource}. */
class ConnectionSource implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionSource.class);

	/** How much longer the first connection may take than later ones. */
	static final Duration CONNECT = Duration.ofSeconds(5);

	/** Whether the driver of PostgreSQL is present. */
	static final boolean POSTGRES = isPresent("org.postgresql.PGConnection");

	private static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");

	private final DataSource dataSource;

	private final Duration timeout;

	/**
	 * Creates a source of the application's own connections.
	 * @param timeout how long a statement may take
	 */
	ConnectionSource(DataSource dataSource, Duration timeout) {
		this.dataSource = dataSource;
		this.timeout = timeout;
	}

	/**
	 * Makes a pool for the store alone, if the application's pool can be copied.
	 * @param timeout how long a statement may take; the first connection may take longer
	 */
	static ConnectionSource like(DataSource application, JdbcLockStoreSettings settings, Duration timeout) {
		if (HIKARI) {
			try {
				return OwnPool.like(application, needed(settings), timeout)
					.orElseGet(() -> new ConnectionSource(application, timeout));
			}
			catch (SQLException | RuntimeException ex) {
				throw new LockStoreException("",
						"The pool of the application could not be copied for locks: check its settings, for instance "
								+ "spring.datasource.hikari.*: " + ForeignText.messageOf(ex),
						ex);
			}
		}
		return new ConnectionSource(application, timeout);
	}

	/** Returns one connection for each worker, and one for listening. */
	static int needed(JdbcLockStoreSettings settings) {
		return settings.connections() + (settings.notifications() ? 1 : 0);
	}

	private static boolean isPresent(String type) {
		try {
			Class.forName(type, false, ConnectionSource.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	/** Warns if callers and the store may want the same connections. */
	final void warnIfShared(int connections) {
		if (!isOwn()) {
			logger.warn(
					"Locks use connections of the application's DataSource {}, up to {} at a time: it must have these to"
							+ " spare while callers inside of transactions wait for locks",
					this.dataSource.getClass().getName(), connections);
		}
	}

	/**
	 * Gets a connection.
	 * @param limit how long to wait for a connection of the store; another pool has its
	 * own limit
	 */
	Connection connect(Duration limit) throws SQLException {
		return this.dataSource.getConnection();
	}

	/**
	 * Returns whether the connections belong to the store, so that callers may use them.
	 */
	boolean isOwn() {
		return false;
	}

	/**
	 * Returns how many connections the application's pool may take.
	 * @return 0 if the store uses that pool
	 */
	int besides() {
		return 0;
	}

	/** Returns the configured URL of the database; opens no connection. */
	Optional<String> url() {
		return Optional.empty();
	}

	/** Prepares a session for the statements of locks. */
	void prepare(Session session, Dialect dialect) throws SQLException {
		Optional<Dialect.LockWait> wait = dialect.lockWait(this.timeout);
		if (wait.isPresent()) {
			session.limitLockWait(wait.get());
		}
	}

	/**
	 * Connects anew after the server took no writes or refused the user: new connections
	 * may lead to another server, or use a newer password.
	 */
	void renew() {
	}

	/** Returns how often {@link #renew()} was called. */
	int renewals() {
		return 0;
	}

	@Override
	public void close() {
	}

}
