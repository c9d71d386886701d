package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Locale;
import java.util.Optional;

import io.distlock.LockStoreException;
import io.distlock.support.ForeignText;

/**
 * States how databases differ: how they show their clock, and how a statement inserts a
 * row under a condition.
 */
enum Dialect {

	/**
	 * PostgreSQL. One statement takes a free lock, or returns the record of a held one.
	 */
	POSTGRESQL("postgresql", "CAST(extract(epoch from clock_timestamp()) * 1000000 AS bigint)", "", true,
			"ON CONFLICT (lock_key) DO NOTHING", "FOR SHARE"),

	/** MySQL 8. */
	MYSQL("mysql", "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))", "FROM DUAL", false, "",
			"LOCK IN SHARE MODE"),

	/** MariaDB, even with a driver that calls it MySQL. */
	MARIADB("mariadb", MYSQL.clock, MYSQL.from, MYSQL.casts, MYSQL.onConflict, MYSQL.shared),

	/** H2. */
	H2("h2", "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT)", "", true, "", "FOR UPDATE");

	/**
	 * Limits one statement, in the same transaction and the same message to the server,
	 * because a pooler may run the next statement in another session. The server ends the
	 * statement by itself: a client that gives up leaves its statement behind, with one
	 * of the server's connections. Before version 11 a server does not count the second
	 * limit.
	 */
	private static final String LIMITS = "SELECT set_config('lock_timeout', '%d', true),"
			+ " set_config('statement_timeout', '%d', true); ";

	/**
	 * Limits all statements of a session; the server then has half as much to execute.
	 */
	private static final String SESSION_LIMITS = "SET lock_timeout = %d; SET statement_timeout = %d";

	/** How long a change waits for a row: other changes usually end within this time. */
	private static final Duration ROW_WAIT = Duration.ofMillis(20);

	/**
	 * Reports a locked row as an error at once. MySQL needs this because its sessions
	 * wait for at least a second. MySQL executes the inner query first, because the outer
	 * query needs its result.
	 */
	private static final String NO_WAIT = "(SELECT f.lock_key FROM"
			+ " (SELECT lock_key FROM %s WHERE lock_key = ? LIMIT 1 FOR UPDATE NOWAIT) f)";

	private static final String MYSQL_WAITS = "SELECT CONCAT('SET SESSION innodb_lock_wait_timeout = ',"
			+ " @@SESSION.innodb_lock_wait_timeout, ', lock_wait_timeout = ', @@SESSION.lock_wait_timeout)";

	private static final String MYSQL_LIMIT = "SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1";

	/** A server of MariaDB also ends statements that wait for something else. */
	private static final String MARIADB_WAITS = "SELECT CONCAT('SET SESSION innodb_lock_wait_timeout = ',"
			+ " @@SESSION.innodb_lock_wait_timeout, ', lock_wait_timeout = ', @@SESSION.lock_wait_timeout,"
			+ " ', max_statement_time = ', @@SESSION.max_statement_time)";

	private static final String MARIADB_LIMIT = "SET SESSION innodb_lock_wait_timeout = 0, lock_wait_timeout = 0,"
			+ " max_statement_time = %d.%03d";

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final String CASTS = "CAST(? AS varchar), CAST(? AS bigint), CAST(? AS smallint), "
			+ "CAST(? AS bigint), CAST(? AS varchar), CAST(? AS varchar), CAST(? AS integer), CAST(? AS bigint)";

	private static final String PLAIN = "?, ?, ?, ?, ?, ?, ?, ?";

	private final String platform;

	private final String clock;

	private final String from;

	private final boolean casts;

	private final String onConflict;

	private final String shared;

	Dialect(String platform, String clock, String from, boolean casts, String onConflict, String shared) {
		this.platform = platform;
		this.clock = clock;
		this.from = from;
		this.casts = casts;
		this.onConflict = onConflict;
		this.shared = shared;
	}

	/**
	 * Returns the dialect of a database.
	 * @param product the name that the driver reports, perhaps with its version
	 */
	static Optional<Dialect> of(String product) {
		String name = product.toLowerCase(Locale.ROOT);
		if (name.startsWith("postgresql")) {
			return Optional.of(POSTGRESQL);
		}
		if (name.startsWith("mysql")) {
			return Optional.of(name.contains("mariadb") ? MARIADB : MYSQL);
		}
		if (name.startsWith("mariadb")) {
			return Optional.of(MARIADB);
		}
		return name.startsWith("h2") ? Optional.of(H2) : Optional.empty();
	}

	/**
	 * Returns the dialect of the database behind a connection.
	 * @throws LockStoreException if locks cannot be kept there
	 */
	static Dialect of(Connection connection) throws SQLException {
		DatabaseMetaData server = connection.getMetaData();
		String product = server.getDatabaseProductName();
		return of(product + " " + server.getDatabaseProductVersion())
			.orElseThrow(() -> new LockStoreException("", "Locks cannot be kept in " + ForeignText.content(product)
					+ "; they can in PostgreSQL, MySQL, MariaDB and H2", null));
	}

	/** Returns the name of the database in the names of schema files. */
	String platform() {
		return this.platform;
	}

	/**
	 * Returns whether one statement takes a free lock, even if this process never saw its
	 * row.
	 */
	boolean takesAtOnce() {
		return this == POSTGRESQL;
	}

	/**
	 * Returns whether threads of the application may execute statements. If this process
	 * opened an H2 database from a file, an interrupt of such a thread would close the
	 * whole database.
	 */
	boolean servesCallers() {
		return this == POSTGRESQL || this == MYSQL || this == MARIADB;
	}

	/** Returns how many changes of rows may share a statement without delaying others. */
	int mostTogether() {
		return (this == POSTGRESQL) ? 250 : 25;
	}

	/**
	 * Returns how many turns of changes may run at a time. If each change is a round
	 * trip, a change must not wait for the changes of another turn.
	 * @param connections how many there are
	 */
	int mostTurns(int connections) {
		return (this == POSTGRESQL) ? 1 : connections;
	}

	/**
	 * Returns how a session limits waits for rows and tables that other transactions have
	 * locked. The shortest limit of a MySQL session is a second, so its statements limit
	 * the waits for rows too.
	 * @param timeout as for the statements
	 * @return empty if the statements limit the waits, because they may run in any
	 * session
	 */
	Optional<LockWait> lockWait(Duration timeout) {
		return switch (this) {
			case MYSQL -> Optional.of(new LockWait(MYSQL_WAITS, MYSQL_LIMIT));
			case MARIADB -> {
				Duration most = serverTimeout(timeout);
				yield Optional.of(new LockWait(MARIADB_WAITS,
						String.format(Locale.ROOT, MARIADB_LIMIT, most.toSeconds(), most.toMillisPart())));
			}
			case H2 -> Optional.of(new LockWait("CALL 'SET LOCK_TIMEOUT ' || LOCK_TIMEOUT()", "SET LOCK_TIMEOUT 20"));
			case POSTGRESQL -> Optional.empty();
		};
	}

	/**
	 * Holds the statements that limit waits for locked rows and tables.
	 *
	 * @param read returns the statement that restores the present limit
	 * @param limit the statement that changes the limit
	 */
	record LockWait(String read, String limit) {
	}

	/**
	 * Returns the statement that limits a session for good, in which no other code
	 * executes statements.
	 * @param timeout as for the statements
	 */
	String limitForGood(Duration timeout) {
		return lockWait(timeout).map(LockWait::limit).orElseGet(() -> limits(SESSION_LIMITS, ROW_WAIT, timeout));
	}

	/**
	 * Returns the statements for a table.
	 * @param timeout how long a client waits for an answer; the server gives up earlier
	 */
	Sql sql(String table, Duration timeout) {
		return sql(table, timeout, limits(ROW_WAIT, timeout));
	}

	/**
	 * Returns the statements for a session that is limited for good. Those that read
	 * still limit themselves, because they may wait longer.
	 * @param timeout as for the other statements
	 */
	Sql sqlOfLimited(String table, Duration timeout) {
		return sql(table, timeout, "");
	}

	/**
	 * Returns statements that wait for locked rows and tables like those that read.
	 * @param timeout as for the other statements
	 */
	Sql patientSql(String table, Duration timeout) {
		return sql(table, timeout, limits(timeout.dividedBy(2), timeout));
	}

	private Sql sql(String table, Duration timeout, String writeLimits) {
		return Sql.of(table, this.clock, this.from, this.casts ? CASTS : PLAIN, this.onConflict, this.shared,
				limits(timeout.dividedBy(2), timeout), writeLimits, (this == MYSQL) ? NO_WAIT.formatted(table) : "?",
				(this == MYSQL) ? seconds(timeout) : 0);
	}

	private String limits(Duration locked, Duration timeout) {
		return (this == POSTGRESQL) ? limits(LIMITS, locked, timeout) : "";
	}

	private static String limits(String form, Duration locked, Duration timeout) {
		return String.format(Locale.ROOT, form, locked.toMillis(), serverTimeout(timeout).toMillis());
	}

	/** Ends before the client gives up. */
	private static Duration serverTimeout(Duration timeout) {
		return timeout.multipliedBy(3).dividedBy(4);
	}

	/**
	 * MySQL itself limits only statements that read, so its driver kills a statement at
	 * the server. A driver counts in seconds.
	 * @return 0 if the client gives up earlier than this is possible
	 */
	private static int seconds(Duration timeout) {
		return (timeout.compareTo(SECOND) > 0) ? Math.max(1, (int) serverTimeout(timeout).toSeconds()) : 0;
	}

}
