package io.distlock.jdbc;

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

	private static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");

	private final DataSource dataSource;

	ConnectionSource(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Makes a pool for the store alone, if the application's pool can be copied.
	 * @param first how long the first connection may take
	 */
	static ConnectionSource like(DataSource application, JdbcLockStoreSettings settings, Duration first) {
		// One connection for each worker, and one for listening.
		int connections = settings.connections() + (settings.notifications() ? 1 : 0);
		if (HIKARI) {
			try {
				return OwnPool.like(application, connections, first).orElseGet(() -> new ConnectionSource(application));
			}
			catch (SQLException | RuntimeException ex) {
				throw new LockStoreException("",
						"The pool of the application could not be copied for locks: " + ForeignText.messageOf(ex), ex);
			}
		}
		return new ConnectionSource(application);
	}

	static boolean isPresent(String type) {
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

	final DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Returns whether the connections belong to the store, so that callers may use them.
	 */
	boolean isOwn() {
		return false;
	}

	/** Returns the configured URL of the database; opens no connection. */
	Optional<String> url() {
		return Optional.empty();
	}

	/** Limits later attempts to connect; only the first attempt may take longer. */
	void limit(Duration timeout) {
	}

	/** Limits how long statements of a session wait for rows that others have locked. */
	void limitLockWait(Session session, Dialect.LockWait wait) throws SQLException {
		session.limitLockWait(wait);
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
