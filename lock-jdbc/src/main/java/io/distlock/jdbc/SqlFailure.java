package io.distlock.jdbc;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.Set;

/**
 * States what an error of a database means for a statement. The first constant counts
 * that has the code of the error, or the first characters of its SQLSTATE.
 */
enum SqlFailure {

	/**
	 * Another transaction changed the row first; this statement changed nothing. MySQL,
	 * MariaDB: deadlock, record has changed. H2: concurrent update, deadlock.
	 */
	RACE("40001 40P01 40000", 1213, 1020, 90131, 40001),

	/**
	 * Another transaction keeps the row locked; this statement changed nothing. MySQL,
	 * MariaDB: lock wait timeout, and a locked row under NOWAIT. H2: lock timeout.
	 */
	LOCKED("55P03", 1205, 3572, 50200),

	/**
	 * The row exists already; this statement changed nothing. Other errors of class 23
	 * report a missing value.
	 */
	DUPLICATE("23505", 1062),

	/** This server takes no writes at the moment; another server may. */
	READ_ONLY("25006", 1290, 1792, 1836, 3989, 90097),

	/** The table does not exist. */
	NO_TABLE("42P01 42S02 42S03 42S04 3F000"),

	/** The user lacks the right to execute the statement. */
	NO_RIGHT("42501 90096", 1044, 1142, 1143, 90096),

	/** The table has another definition. */
	OTHER_TABLE("42703 42S22 42804 42883 42P10 23502", 1364, 1048, 1366),

	/** The server, or the user, has as many connections as are allowed. */
	FULL("53300", 1040, 1203, 1226),

	/** The disk, or the table, is full; this statement changed nothing. */
	NO_SPACE("53100", 1021, 1114),

	/**
	 * The user or the password is wrong, or there is no password, for which the driver of
	 * PostgreSQL has a state of its own.
	 */
	NO_LOGIN("28 08004", 1045, 1698),

	/** The server has no such database. */
	NO_DATABASE("3D000 90013 90146 90149", 1049),

	/** A value does not fit into its column. */
	TOO_LONG("22001", 1406),

	/** The statement was prepared on another connection of a pooler. */
	POOLED("26000 42P05"),

	/**
	 * The database gave no answer, or it took too long: whether it executed the statement
	 * is unknown. With 57P begin the codes of PostgreSQL for a connection that the server
	 * ends or refuses, because it starts, stops, or drops what was idle.
	 */
	UNAVAILABLE("08 57P 57014 HYT00 HYT01 70100"),

	/** Repeating does not help. */
	FATAL("");

	/**
	 * Codes for four reasons: the user may not execute pg_notify, the function does not
	 * exist, its queue is full, or a server of another kind cannot notify.
	 */
	private static final Set<String> NO_NOTIFY_STATES = Set.of("42501", "42883", "54000", "0A000");

	private final Set<String> states;

	private final Set<Integer> codes;

	SqlFailure(String states, Integer... codes) {
		this.states = states.isEmpty() ? Set.of() : Set.of(states.split(" "));
		this.codes = Set.of(codes);
	}

	/**
	 * Returns whether the database may have refused a statement only because it notifies.
	 * Such a statement changed nothing.
	 */
	static boolean refusesToNotify(SQLException failure) {
		return failure.getSQLState() != null && NO_NOTIFY_STATES.contains(failure.getSQLState());
	}

	static SqlFailure of(SQLException failure) {
		// A pool copies the state only, and a batch does not copy that it took too long.
		if ((failure instanceof SQLTransientConnectionException || failure instanceof BatchUpdateException)
				&& failure.getCause() instanceof SQLException cause && failure.getErrorCode() == 0) {
			return of(cause);
		}
		String state = (failure.getSQLState() != null) ? failure.getSQLState() : "";
		return Arrays.stream(values())
			.filter((meaning) -> meaning.has(state, failure.getErrorCode()))
			.findFirst()
			.orElseGet(() -> isUnavailable(failure) ? UNAVAILABLE : FATAL);
	}

	private boolean has(String state, int code) {
		return this.codes.contains(code) || this.states.stream().anyMatch(state::startsWith);
	}

	private static boolean isUnavailable(SQLException failure) {
		return failure instanceof SQLTimeoutException || failure instanceof SQLTransientConnectionException
				|| failure instanceof SQLNonTransientConnectionException || failure instanceof SQLRecoverableException;
	}

}
