package io.distlock.jdbc;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;

/** States what an error of a database means for a statement. */
enum SqlFailure {

	/** Another transaction changed the row first; this statement changed nothing. */
	RACE,

	/** Another transaction keeps the row locked; this statement changed nothing. */
	LOCKED,

	/** The row exists already; this statement changed nothing. */
	DUPLICATE,

	/** The database gave no answer: whether it executed the statement is unknown. */
	UNAVAILABLE,

	/** This server takes no writes at the moment; another server may. */
	READ_ONLY,

	/** The table does not exist. */
	NO_TABLE,

	/** The table has another definition. */
	OTHER_TABLE,

	/** The user lacks the right to execute the statement. */
	NO_RIGHT,

	/** The user or the password is wrong, or there is no password. */
	NO_LOGIN,

	/** The server has no such database. */
	NO_DATABASE,

	/** The server, or the user, has as many connections as are allowed. */
	FULL,

	/** The disk is full; this statement changed nothing. */
	NO_SPACE,

	/** A value does not fit into its column. */
	TOO_LONG,

	/** The statement was prepared on another connection of a pooler. */
	POOLED,

	/** Repeating does not help. */
	FATAL;

	private static final Set<String> RACES = Set.of("40001", "40P01", "40000");

	/** MySQL, MariaDB: deadlock, record has changed. H2: concurrent update, deadlock. */
	private static final Set<Integer> RACE_CODES = Set.of(1213, 1020, 90131, 40001);

	/** Codes of PostgreSQL. */
	private static final String LOCKED_STATE = "55P03";

	/**
	 * Codes for a lock wait timeout (MySQL, MariaDB), for a locked row under NOWAIT
	 * (MySQL), and for a lock timeout (H2).
	 */
	private static final Set<Integer> LOCKED_CODES = Set.of(1205, 3572, 50200);

	private static final Set<String> DUPLICATES = Set.of("23505", "23000");

	private static final Set<Integer> DUPLICATE_CODES = Set.of(1062, 23505);

	private static final Set<String> TABLE_STATES = Set.of("42P01", "42S02", "42S03", "42S04", "3F000");

	private static final Set<String> COLUMN_STATES = Set.of("42703", "42S22", "42804", "42883", "42P10", "23502");

	private static final Set<Integer> COLUMN_CODES = Set.of(1364, 1048, 1366);

	private static final Set<String> RIGHT_STATES = Set.of("42501", "90096");

	/** MySQL, MariaDB; H2. */
	private static final Set<Integer> RIGHT_CODES = Set.of(1044, 1142, 1143, 90096);

	private static final Set<Integer> LOGIN_CODES = Set.of(1045, 1698);

	/** PostgreSQL, H2. */
	private static final Set<String> DATABASE_STATES = Set.of("3D000", "90013", "90146", "90149");

	/** MySQL, MariaDB. */
	private static final int DATABASE_CODE = 1049;

	private static final Set<String> LONG_STATES = Set.of("22001");

	private static final Set<Integer> LONG_CODES = Set.of(1406);

	private static final Set<String> POOLED_STATES = Set.of("26000", "42P05");

	private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1792, 1836, 3989, 90097);

	/** Also the code of a statement that took too long. */
	private static final Set<String> UNAVAILABLE_STATES = Set.of("57014", "HYT00", "HYT01", "70100");

	/**
	 * Begins the codes of PostgreSQL for a connection that the server ends or refuses,
	 * because it starts, stops, or drops what was idle.
	 */
	private static final String ENDED = "57P";

	private static final String FULL_STATE = "53300";

	/** MySQL, MariaDB: of the server, and of one user. */
	private static final Set<Integer> FULL_CODES = Set.of(1040, 1203, 1226);

	private static final String NO_SPACE_STATE = "53100";

	/** MySQL, MariaDB: of the disk, and of a table. */
	private static final Set<Integer> NO_SPACE_CODES = Set.of(1021, 1114);

	/** The driver of PostgreSQL uses it for a missing password. */
	private static final String REJECTED_STATE = "08004";

	/**
	 * Codes for four reasons: the user may not execute pg_notify, the function does not
	 * exist, its queue is full, or a server of another kind cannot notify.
	 */
	private static final Set<String> NO_NOTIFY_STATES = Set.of("42501", "42883", "54000", "0A000");

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
		int code = failure.getErrorCode();
		if (RACES.contains(state) || RACE_CODES.contains(code)) {
			return RACE;
		}
		if (state.equals(LOCKED_STATE) || LOCKED_CODES.contains(code)) {
			return LOCKED;
		}
		if (isDuplicate(state, code)) {
			return DUPLICATE;
		}
		if (state.equals("25006") || READ_ONLY_CODES.contains(code)) {
			return READ_ONLY;
		}
		return definite(state, code).orElseGet(() -> isUnavailable(failure, state) ? UNAVAILABLE : FATAL);
	}

	private static Optional<SqlFailure> definite(String state, int code) {
		if (TABLE_STATES.contains(state)) {
			return Optional.of(NO_TABLE);
		}
		if (RIGHT_STATES.contains(state) || RIGHT_CODES.contains(code)) {
			return Optional.of(NO_RIGHT);
		}
		if (COLUMN_STATES.contains(state) || COLUMN_CODES.contains(code)) {
			return Optional.of(OTHER_TABLE);
		}
		if (state.equals(FULL_STATE) || FULL_CODES.contains(code)) {
			return Optional.of(FULL);
		}
		if (state.equals(NO_SPACE_STATE) || NO_SPACE_CODES.contains(code)) {
			return Optional.of(NO_SPACE);
		}
		if (state.startsWith("28") || state.equals(REJECTED_STATE) || LOGIN_CODES.contains(code)) {
			return Optional.of(NO_LOGIN);
		}
		if (DATABASE_STATES.contains(state) || code == DATABASE_CODE) {
			return Optional.of(NO_DATABASE);
		}
		if (LONG_STATES.contains(state) || LONG_CODES.contains(code)) {
			return Optional.of(TOO_LONG);
		}
		return POOLED_STATES.contains(state) ? Optional.of(POOLED) : Optional.empty();
	}

	/**
	 * Accepts only these codes of class 23: others report a missing value, not a row that
	 * exists.
	 */
	private static boolean isDuplicate(String state, int code) {
		return state.equals("23505") || (DUPLICATES.contains(state) && DUPLICATE_CODES.contains(code));
	}

	private static boolean isUnavailable(SQLException failure, String state) {
		return state.startsWith("08") || state.startsWith(ENDED) || UNAVAILABLE_STATES.contains(state)
				|| isUnavailable(failure);
	}

	private static boolean isUnavailable(SQLException failure) {
		return failure instanceof SQLTimeoutException || failure instanceof SQLTransientConnectionException
				|| failure instanceof SQLNonTransientConnectionException || failure instanceof SQLRecoverableException;
	}

}
