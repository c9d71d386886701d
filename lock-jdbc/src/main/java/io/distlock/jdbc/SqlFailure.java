package io.distlock.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What an error of a database means for a statement. */
enum SqlFailure {

	/** Another transaction came first; nothing was done. */
	RACE,

	/** The row is there already; nothing was done. */
	DUPLICATE,

	/** No answer: whether the statement was executed is unknown. */
	UNAVAILABLE,

	/** This server takes no writes at the moment, another one may. */
	READ_ONLY,

	/** There is no such table. */
	NO_TABLE,

	/** Repeating does not help. */
	FATAL;

	private static final Set<String> RACES = Set.of("40001", "40P01", "40000");

	/**
	 * MySQL, MariaDB: deadlock, lock wait timeout. Oracle: cannot serialize, deadlock.
	 * SQL Server: deadlock, lock request timeout. H2: concurrent update, deadlock.
	 */
	private static final Set<Integer> RACE_CODES = Set.of(1213, 1205, 8177, 60, 1222, 90131, 40001);

	private static final Set<String> DUPLICATES = Set.of("23505", "23000");

	private static final Set<Integer> DUPLICATE_CODES = Set.of(1062, 1, 2601, 2627, 23505);

	private static final Set<String> TABLE_STATES = Set.of("42P01", "42S02", "42S03", "42S04");

	private static final int ORACLE_NO_TABLE = 942;

	private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836, 3989);

	private static final Set<String> UNAVAILABLE_STATES = Set.of("57P01", "57P02", "57P03", "57014", "53300", "HYT00",
			"HYT01", "55P03");

	static SqlFailure of(SQLException failure) {
		String state = (failure.getSQLState() != null) ? failure.getSQLState() : "";
		int code = failure.getErrorCode();
		if (RACES.contains(state) || RACE_CODES.contains(code)) {
			return RACE;
		}
		if (isDuplicate(state, code)) {
			return DUPLICATE;
		}
		if (state.equals("25006") || READ_ONLY_CODES.contains(code)) {
			return READ_ONLY;
		}
		if (TABLE_STATES.contains(state) || code == ORACLE_NO_TABLE) {
			return NO_TABLE;
		}
		return isUnavailable(failure, state) ? UNAVAILABLE : FATAL;
	}

	/** Only these of class 23: a value that is missing is no row that is there. */
	private static boolean isDuplicate(String state, int code) {
		return state.equals("23505") || (DUPLICATES.contains(state) && DUPLICATE_CODES.contains(code));
	}

	private static boolean isUnavailable(SQLException failure, String state) {
		return state.startsWith("08") || UNAVAILABLE_STATES.contains(state) || failure instanceof SQLTimeoutException
				|| failure instanceof SQLTransientConnectionException
				|| failure instanceof SQLNonTransientConnectionException || failure instanceof SQLRecoverableException;
	}

}
