package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;

import io.distlock.support.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which each statement is a transaction and waits for the network only
 * for a limited time. It goes back with its former settings: not every pool resets them.
 */
final class Session implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Session.class);

	private final Connection connection;

	private final boolean autoCommit;

	/** Former network timeout; empty if the driver has none. */
	private final OptionalInt networkTimeout;

	/** Statement that restores the limit of waits for rows; empty if it is unchanged. */
	private String restoreLockWait = "";

	private Session(Connection connection, boolean autoCommit, OptionalInt networkTimeout) {
		this.connection = connection;
		this.autoCommit = autoCommit;
		this.networkTimeout = networkTimeout;
	}

	/**
	 * Opens a session.
	 * @param connection is given back when the session is closed, or there is none
	 * @param timeout how long a statement may wait for the network
	 * @return the session
	 * @throws SQLException if statements would not be transactions of their own
	 */
	static Session of(Connection connection, Duration timeout) throws SQLException {
		try {
			boolean autoCommit = connection.getAutoCommit();
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			return new Session(connection, autoCommit, limit(connection, timeout));
		}
		catch (SQLException | RuntimeException | Error ex) {
			close(connection);
			throw ex;
		}
	}

	private static OptionalInt limit(Connection connection, Duration timeout) {
		try {
			int before = connection.getNetworkTimeout();
			connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
			return OptionalInt.of(before);
		}
		catch (SQLException ex) {
			// Not every driver has timeouts of the network.
			logger.debug("A connection has no network timeout: {}", ForeignText.messageOf(ex));
			return OptionalInt.empty();
		}
	}

	/** Keeps statements from waiting for rows that other transactions have locked. */
	void limitLockWait(Dialect.LockWait wait) throws SQLException {
		try (Statement statement = this.connection.createStatement();
				ResultSet before = statement.executeQuery(wait.read())) {
			before.next();
			this.restoreLockWait = wait.set() + before.getLong(1);
		}
		limitLockWaitForGood(wait);
	}

	/**
	 * Limits the waits without restoring them, because no other code gets the connection.
	 */
	void limitLockWaitForGood(Dialect.LockWait wait) throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(wait.set() + wait.limit());
		}
	}

	/**
	 * Whether a statement ends within the time limit although the server hangs. Without a
	 * limit only threads of the store may wait for it.
	 */
	boolean isBounded() {
		return this.networkTimeout.isPresent();
	}

	Connection connection() {
		return this.connection;
	}

	@Override
	public void close() {
		try {
			if (!this.connection.isClosed()) {
				restore();
			}
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("A connection could not be given back as it was: {}", ForeignText.messageOf(ex));
		}
		close(this.connection);
	}

	private void restore() throws SQLException {
		if (!this.restoreLockWait.isEmpty()) {
			try (Statement statement = this.connection.createStatement()) {
				statement.execute(this.restoreLockWait);
			}
		}
		if (this.networkTimeout.isPresent()) {
			this.connection.setNetworkTimeout(Runnable::run, this.networkTimeout.getAsInt());
		}
		if (!this.autoCommit) {
			this.connection.setAutoCommit(false);
		}
	}

	private static void close(Connection connection) {
		try {
			connection.close();
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("A connection could not be closed: {}", ForeignText.messageOf(ex));
		}
	}

}
