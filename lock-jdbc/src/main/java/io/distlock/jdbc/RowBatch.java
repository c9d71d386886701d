package io.distlock.jdbc;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Changes many rows in one turn. PostgreSQL changes them in one statement, other
 * databases in a batch of statements. A row without an answer was not changed.
 */
final class RowBatch {

	private final RowStatements statements;

	RowBatch(RowStatements statements) {
		this.statements = statements;
	}

	/**
	 * Changes rows, each under separate conditions. PostgreSQL skips a row for which it
	 * would have to wait.
	 * @param rows changes that expect a version
	 * @return the new revisions of the rows that were changed
	 */
	Set<Long> update(Dialect dialect, List<Row> rows) throws SQLException {
		return (dialect == Dialect.POSTGRESQL) ? updateAtOnce(rows) : updateOneByOne(rows);
	}

	private Set<Long> updateAtOnce(List<Row> rows) throws SQLException {
		Connection connection = this.statements.connection();
		DatabaseClock clock = this.statements.clock();
		Set<Long> won = new HashSet<>();
		try (PreparedStatement statement = connection.prepareStatement(this.statements.sql().updateTogether())) {
			Columns columns = new Columns(connection, statement, rows);
			columns.add("text", Row::name);
			columns.add("bigint", Row::version);
			columns.add("bigint", Row::revision);
			columns.add("smallint", (row) -> (short) row.busy());
			columns.add("bigint", (row) -> row.change().highest());
			columns.add("text", (row) -> row.change().text());
			columns.add("text", (row) -> row.change().summary().holder());
			columns.add("integer", (row) -> row.change().summary().waiting());
			columns.add("bigint", (row) -> row.change().summary().until());
			columns.add("bigint", Row::notBefore);
			columns.add("bigint", Row::notAfter);
			long sentAt = clock.nanoTime();
			try (ResultSet changed = this.statements.changedRows(statement)) {
				long micros = 0;
				while (changed.next()) {
					won.add(changed.getLong(1));
					micros = changed.getLong(2);
				}
				if (!won.isEmpty()) {
					clock.seen(micros, sentAt);
				}
			}
		}
		return won;
	}

	/**
	 * Makes each change a separate transaction: if a process stopped before a common
	 * commit, all its rows would stay locked. Some drivers send a batch as one
	 * transaction, so all processes use the same order.
	 */
	private Set<Long> updateOneByOne(List<Row> unsorted) throws SQLException {
		List<Row> rows = unsorted.stream().sorted(Comparator.comparing(Row::name)).toList();
		Set<Long> won = new HashSet<>();
		try (PreparedStatement statement = this.statements.connection()
			.prepareStatement(this.statements.sql().update())) {
			for (Row row : rows) {
				this.statements.setUpdate(statement, row);
				statement.addBatch();
			}
			int[] counts = counts(statement);
			for (int i = 0; i < counts.length; i++) {
				Row row = rows.get(i);
				if (counts[i] == 1 || (counts[i] == Statement.SUCCESS_NO_INFO && isThere(row))) {
					won.add(row.revision());
				}
			}
		}
		return won;
	}

	/** Keeps the counts of other rows if one row is locked or was changed. */
	private int[] counts(PreparedStatement statement) throws SQLException {
		try {
			return this.statements.counts(statement);
		}
		catch (BatchUpdateException ex) {
			SqlFailure failure = SqlFailure.of(ex);
			if (failure == SqlFailure.RACE || failure == SqlFailure.LOCKED) {
				return ex.getUpdateCounts();
			}
			throw ex;
		}
	}

	/**
	 * Reads the row, because some drivers do not report which statements of a batch
	 * changed a row.
	 */
	private boolean isThere(Row row) throws SQLException {
		return this.statements.read(row.name()).revision() == row.revision();
	}

	/** Collects one array per column. */
	private static final class Columns {

		private final Connection connection;

		private final PreparedStatement statement;

		private final List<Row> rows;

		private int next = 1;

		private Columns(Connection connection, PreparedStatement statement, List<Row> rows) {
			this.connection = connection;
			this.statement = statement;
			this.rows = rows;
		}

		void add(String type, Function<Row, Object> column) throws SQLException {
			Object[] values = this.rows.stream().map(column).toArray();
			this.statement.setArray(this.next++, this.connection.createArrayOf(type, values));
		}

	}

}
