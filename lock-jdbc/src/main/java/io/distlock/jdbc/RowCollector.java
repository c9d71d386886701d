package io.distlock.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Deletes rows of locks that have no holder and no waiter and were not used for long. It
 * deletes one row per statement, so that no statement locks several rows. Tokens still
 * grow after a deletion, because new tokens follow the clock, which has passed the old
 * tokens.
 */
final class RowCollector {

	private final RowStatements statements;

	RowCollector(RowStatements statements) {
		this.statements = statements;
	}

	/**
	 * Deletes rows that were last used before a moment.
	 * @param beforeMillis the moment, by the database's clock
	 * @param most the highest number of rows to delete
	 * @return how many rows were deleted
	 */
	int collect(long beforeMillis, int most) throws SQLException {
		int deleted = 0;
		for (Map.Entry<String, Long> row : find(beforeMillis, most).entrySet()) {
			if (this.statements.delete(row.getKey(), row.getValue())) {
				deleted++;
			}
		}
		return deleted;
	}

	private Map<String, Long> find(long beforeMillis, int most) throws SQLException {
		Map<String, Long> found = new LinkedHashMap<>();
		try (PreparedStatement statement = this.statements.connection()
			.prepareStatement(this.statements.sql().idleRows())) {
			statement.setMaxRows(most);
			statement.setLong(1, TimeUnit.MILLISECONDS.toMicros(beforeMillis));
			statement.setLong(2, beforeMillis);
			try (ResultSet rows = this.statements.rows(statement)) {
				while (rows.next()) {
					found.put(rows.getString(1), rows.getLong(2));
				}
			}
		}
		return found;
	}

}
