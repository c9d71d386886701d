package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Deletes rows of locks that have no holder and no waiter and were not used for long. One
 * by one, so that no statement locks rows of others. Tokens survive it: they follow the
 * clock, which has passed them.
 */
final class RowCollector {

	private final Sql sql;

	RowCollector(Sql sql) {
		this.sql = sql;
	}

	/**
	 * Deletes what was used last before a moment.
	 * @param beforeMillis the moment, by the database's clock
	 * @param most how many rows at most
	 * @return how many rows were deleted
	 */
	int collect(Connection connection, long beforeMillis, int most) throws SQLException {
		int deleted = 0;
		try (PreparedStatement statement = connection.prepareStatement(this.sql.deleteIdle())) {
			for (Map.Entry<String, Long> row : find(connection, beforeMillis, most).entrySet()) {
				statement.setString(1, row.getKey());
				statement.setLong(2, row.getValue());
				deleted += statement.executeUpdate();
			}
		}
		return deleted;
	}

	private Map<String, Long> find(Connection connection, long beforeMillis, int most) throws SQLException {
		Map<String, Long> found = new LinkedHashMap<>();
		try (PreparedStatement statement = connection.prepareStatement(this.sql.idleRows())) {
			statement.setMaxRows(most);
			statement.setLong(1, TimeUnit.MILLISECONDS.toMicros(beforeMillis));
			statement.setLong(2, beforeMillis);
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					found.put(rows.getString(1), rows.getLong(2));
				}
			}
		}
		return found;
	}

}
