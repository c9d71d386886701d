package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.distlock.support.ForeignText;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels statements that a PostgreSQL server goes on with after this process gave them
 * up. The server does not notice that the client is gone while a commit waits, for
 * instance for a synchronous standby, and no timeout of the server ends such a wait. Each
 * new connection would leave one more behind, until the server has none left.
 * <p>
 * A cancelled commit is in the server's log like each unanswered one: the process that
 * gave it up does not rely on it, and an answer to a later write proves both.
 */
final class AbandonedStatements {

	private static final Logger logger = LoggerFactory.getLogger(AbandonedStatements.class);

	private static final String SELF = "SELECT pid, CAST(backend_start AS text) FROM pg_stat_activity"
			+ " WHERE pid = pg_backend_pid()";

	private static final String CANCEL = "SELECT coalesce(wait_event, 'nothing'), pg_cancel_backend(pid)"
			+ " FROM pg_stat_activity WHERE pid = ? AND backend_start = CAST(? AS timestamptz) AND state = 'active'";

	/** The server's process of each connection; empty behind a pooler. */
	private final Map<Connection, Optional<Backend>> known = Collections.synchronizedMap(new WeakHashMap<>());

	private final Queue<Backend> abandoned = new ConcurrentLinkedQueue<>();

	private volatile String logged = "";

	/**
	 * Cancels what was given up before, on a connection that works.
	 * @param pooled the driver's connection
	 * @return whether the connection leads to the server, and not to a pooler, which may
	 * execute each statement in another session
	 */
	boolean use(Session session, Connection pooled) throws SQLException {
		Connection connection = session.connection();
		Optional<Backend> own = this.known.get(pooled);
		if (own == null) {
			own = backend(connection);
			this.known.put(pooled, own);
		}
		own.ifPresent((backend) -> session.whenBroken(() -> this.abandoned.add(backend)));
		for (Backend given = this.abandoned.poll(); given != null; given = this.abandoned.poll()) {
			cancel(connection, given);
		}
		return own.isPresent();
	}

	/** A pooler shows another process than the one that executes the next statement. */
	private static Optional<Backend> backend(Connection connection) throws SQLException {
		if (!connection.isWrapperFor(PGConnection.class)) {
			return Optional.empty();
		}
		int shown = connection.unwrap(PGConnection.class).getBackendPID();
		try (Statement statement = connection.createStatement(); ResultSet self = statement.executeQuery(SELF)) {
			return (self.next() && self.getInt(1) == shown) ? Optional.of(new Backend(shown, self.getString(2)))
					: Optional.empty();
		}
		catch (SQLException ex) {
			throwIfBroken(connection, ex);
			return Optional.empty();
		}
	}

	/**
	 * Does nothing if the process has ended, or executes nothing. Its start tells it from
	 * a later process with the same number.
	 */
	private void cancel(Connection connection, Backend backend) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(CANCEL)) {
			statement.setInt(1, backend.pid());
			statement.setString(2, backend.start());
			try (ResultSet waited = statement.executeQuery()) {
				if (waited.next()) {
					log(ForeignText.of(waited.getString(1)));
				}
			}
		}
		catch (SQLException ex) {
			if (connection.isClosed()) {
				this.abandoned.add(backend);
			}
			throwIfBroken(connection, ex);
		}
	}

	/** A server that refuses this still keeps locks. */
	private static void throwIfBroken(Connection connection, SQLException failure) throws SQLException {
		if (connection.isClosed()) {
			throw failure;
		}
		logger.debug("Statements that were given up cannot be cancelled: {}", ForeignText.messageOf(failure));
	}

	private void log(String event) {
		if (!event.equals(this.logged)) {
			logger.warn("The database did not answer statements of locks in time, because they waited for {};"
					+ " they are cancelled", event);
		}
		this.logged = event;
	}

	/**
	 * A process of the server.
	 *
	 * @param pid its number
	 * @param start when it began, as the server writes it
	 */
	private record Backend(int pid, String start) {
	}

}
