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
 * Holds a connection on which each statement is a transaction with a limited wait for the
 * network. It restores the former settings before it returns the connection, because not
 * every pool resets them.
 */
final class Session implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Session.class);

	private final Connection connection;

	private final boolean autoCommit;

	/** Former network timeout; empty if the driver has none. */
	private final OptionalInt networkTimeout;

	/**
	 * Statement that restores the former limits of waits; empty if they are unchanged.
	 */
	private String restoreLockWait = "";

	private boolean limited;

	private Runnable broken = () -> {
	};

	private Session(Connection connection, boolean autoCommit, OptionalInt networkTimeout) {
		this.connection = connection;
		this.autoCommit = autoCommit;
		this.networkTimeout = networkTimeout;
	}

	/**
	 * Opens a session.
	 * @param connection the connection, which is given back when the session is closed or
	 * cannot be opened
	 * @param timeout how long a statement may wait for the network
	 * @return the session
	 * @throws SQLException if the statements would not be separate transactions
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
			// Some drivers have no network timeout.
			logger.debug("A connection has no network timeout: {}", ForeignText.messageOf(ex));
			return OptionalInt.empty();
		}
	}

	/** Limits how long statements wait for what other transactions have locked. */
	void limitLockWait(Dialect.LockWait wait) throws SQLException {
		try (Statement statement = this.connection.createStatement();
				ResultSet before = statement.executeQuery(wait.read())) {
			before.next();
			this.restoreLockWait = before.getString(1);
		}
		limitForGood(wait.limit());
	}

	/** Limits the waits for good, because no other code uses the connection. */
	void limitForGood(String limit) throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(limit);
		}
	}

	/** Notes that the connection was limited for good, now or before. */
	void limited() {
		this.limited = true;
	}

	/** Returns whether the connection is limited for good. */
	boolean isLimited() {
		return this.limited;
	}

	/**
	 * Returns whether a statement ends within the time limit even if the server hangs.
	 * Without a limit only threads of the store may wait for the statement.
	 */
	boolean isBounded() {
		return this.networkTimeout.isPresent();
	}

	/** Sets what to do if the connection is found to be closed. */
	void whenBroken(Runnable action) {
		this.broken = action;
	}

	Connection connection() {
		return this.connection;
	}

	@Override
	public void close() {
		try {
			if (this.connection.isClosed()) {
				this.broken.run();
			}
			else {
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
