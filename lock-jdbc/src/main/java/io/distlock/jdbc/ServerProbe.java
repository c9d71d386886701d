package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether a server and its settings are fit for locks. */
final class ServerProbe {

	private static final Logger logger = LoggerFactory.getLogger(ServerProbe.class);

	private static final int OLDEST_POSTGRESQL = 10;

	private static final int OLDEST_MYSQL = 8;

	private static final int OLDEST_H2 = 2;

	private final Connection connection;

	private final Dialect dialect;

	private final String table;

	ServerProbe(Connection connection, Dialect dialect, String table) {
		this.connection = connection;
		this.dialect = dialect;
		this.table = table;
	}

	/** Returns why the server cannot keep locks. */
	List<String> problems() throws SQLException {
		List<String> problems = new ArrayList<>();
		DatabaseMetaData server = this.connection.getMetaData();
		int oldest = oldest();
		if (server.getDatabaseMajorVersion() < oldest) {
			problems.add("Locks need " + ForeignText.content(server.getDatabaseProductName()) + " " + oldest
					+ " or later, the server is " + ForeignText.content(server.getDatabaseProductVersion()));
		}
		if (this.dialect == Dialect.POSTGRESQL && ask("SELECT CAST(pg_is_in_recovery() AS varchar)").equals("true")) {
			problems.add("The server of table " + this.table
					+ " is a standby and takes no writes: locks need the address of the primary, for instance in "
					+ "spring.datasource.url");
		}
		boolean readOnlyAtTimes = this.dialect == Dialect.MYSQL || this.dialect == Dialect.MARIADB;
		if (readOnlyAtTimes && !takesWrites(ask("SELECT @@global.read_only"))) {
			problems.add("The server of table " + this.table
					+ " is read-only, so it may be a replica: locks need the address of the primary, for instance in "
					+ "spring.datasource.url");
		}
		return problems;
	}

	/**
	 * Reads the setting: a number in MySQL and older MariaDB, a mode's name in newer
	 * MariaDB.
	 */
	static boolean takesWrites(String readOnly) {
		return readOnly.equals("0") || readOnly.equalsIgnoreCase("OFF");
	}

	private int oldest() {
		return switch (this.dialect) {
			case POSTGRESQL -> OLDEST_POSTGRESQL;
			case MYSQL -> OLDEST_MYSQL;
			case H2 -> OLDEST_H2;
			default -> 0;
		};
	}

	/**
	 * Returns one sentence for each setting that weakens the guarantees of locks.
	 * @param notifications whether the store should notify
	 */
	List<String> warnings(boolean notifications) {
		List<String> warnings = new ArrayList<>();
		if (notifications && this.dialect == Dialect.POSTGRESQL) {
			tryToNotify(warnings);
		}
		switch (this.dialect) {
			case POSTGRESQL -> {
				expect(warnings, "synchronous_commit", List.of("on", "local", "remote_write", "remote_apply"),
						"a crash of the server loses the last commits, and with them locks that are held",
						"SHOW synchronous_commit");
				expect(warnings, "fsync", List.of("on"), "a crash of the server may lose locks", "SHOW fsync");
				expect(warnings, "the persistence of table " + this.table, List.of("p"),
						"a crash of the server empties an unlogged table, and locks that are held are free",
						"SELECT CAST(relpersistence AS varchar) FROM pg_class WHERE oid = to_regclass(?)", this.table);
			}
			case MYSQL, MARIADB -> {
				expect(warnings, "innodb_flush_log_at_trx_commit", List.of("1"),
						"a crash of the server loses the last commits, and with them locks that are held",
						"SELECT @@innodb_flush_log_at_trx_commit");
				int dot = this.table.indexOf('.');
				expect(warnings, "the engine of table " + this.table, List.of("INNODB", ""),
						"only InnoDB survives a crash of the server and locks single rows",
						"SELECT UPPER(ENGINE) FROM information_schema.TABLES WHERE TABLE_NAME = ?"
								+ " AND TABLE_SCHEMA = COALESCE(?, DATABASE())",
						this.table.substring(dot + 1), (dot > 0) ? this.table.substring(0, dot) : null);
			}
			default -> {
			}
		}
		return warnings;
	}

	/**
	 * Returns a sentence if the application's pool may leave no connection to locks.
	 * Behind a pooler that may be no problem.
	 */
	List<String> tooFewConnections(int ofApplication, int ofLocks) {
		Optional<String> query = switch (this.dialect) {
			case POSTGRESQL -> Optional.of("SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user");
			case MYSQL, MARIADB -> Optional.of("SELECT @@max_user_connections");
			case H2 -> Optional.empty();
		};
		try {
			String answer = query.isPresent() ? ask(query.get()) : "";
			int most = answer.isEmpty() ? 0 : Integer.parseInt(answer);
			return (most <= 0 || most >= ofApplication + ofLocks) ? List.of()
					: List.of("The user of the database may have " + most
							+ " connections, but the application's pool may" + " take " + ofApplication
							+ ", and locks need " + ofLocks + " besides: allow the user more, or give that pool fewer");
		}
		catch (SQLException | NumberFormatException ex) {
			logger.debug("How many connections the user may have is not known: {}", ForeignText.messageOf(ex));
			return List.of();
		}
	}

	/** Sends to a channel on which no process listens. */
	private void tryToNotify(List<String> warnings) {
		try {
			Notifications.send(this.connection, Notifications.channel(UUID.randomUUID().toString()), "");
		}
		catch (SQLException ex) {
			if (SqlFailure.refusesToNotify(ex)) {
				warnings.add("The database refuses notifications, so waiters of locks poll: "
						+ ForeignText.messageOf(ex) + ". Grant the user of the database EXECUTE on pg_notify,"
						+ " or set distributed-lock.jdbc.notifications=false");
			}
			else {
				logger.debug("Whether the database notifies is not known: {}", ForeignText.messageOf(ex));
			}
		}
	}

	private void expect(List<String> warnings, String setting, List<String> good, String otherwise, String query,
			@Nullable String... parameters) {
		try {
			String value = ask(query, parameters);
			if (!good.contains(value)) {
				warnings.add("In the database of locks " + setting + " is " + ForeignText.of(value) + ": " + otherwise);
			}
		}
		catch (SQLException ex) {
			// Some users, poolers and managed servers do not show these settings.
			logger.debug("A setting of the database is not known: {}", ForeignText.messageOf(ex));
		}
	}

	private String ask(String query, @Nullable String... parameters) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(query)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setString(i + 1, parameters[i]);
			}
			try (ResultSet row = statement.executeQuery()) {
				String value = row.next() ? row.getString(1) : null;
				return (value != null) ? value : "";
			}
		}
	}

}
