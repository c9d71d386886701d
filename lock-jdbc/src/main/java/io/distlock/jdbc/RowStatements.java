package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import io.distlock.records.place.LockRecords.Message;
import org.jspecify.annotations.Nullable;

/**
 * Executes the statements of rows on one connection. A change is one statement, and its
 * method throws what the driver reports.
 *
 * @param connection executes the statements
 * @param sql the statements
 * @param clock learns the time of the database from each answer that has it
 */
record RowStatements(Connection connection, Sql sql, DatabaseClock clock) {

	/**
	 * A row as the database has it.
	 *
	 * @param micros the moment of the answer, in microseconds of the database
	 * @param revision identifies the last write; 0 without a row
	 * @param record {@code null} if there is no such row
	 */
	record Found(long micros, long revision, @Nullable String record) {
	}

	/**
	 * The answer to a change that also reads.
	 *
	 * @param changed whether the row was changed
	 * @param found the row, perhaps before the change
	 */
	record Changed(boolean changed, Found found) {
	}

	Found read(String name) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.read())) {
			statement.setString(1, name);
			long sentAt = this.clock.nanoTime();
			try (ResultSet row = rows(statement)) {
				row.next();
				return found(row, sentAt);
			}
		}
	}

	/**
	 * Reads a row of a result that begins with clock, revision and record.
	 * @param sentAt when the statement was sent
	 */
	Found found(ResultSet row, long sentAt) throws SQLException {
		return new Found(this.clock.seen(row.getLong(1), sentAt), row.getLong(2), row.getString(3));
	}

	/**
	 * Inserts a row.
	 * @return {@code false} if it is there, or outside of the window
	 */
	boolean insert(Row row) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.insert())) {
			statement.setString(1, row.name());
			row.window(statement, row.values(statement, 2));
			return count(statement) == 1;
		}
		catch (SQLException ex) {
			if (SqlFailure.of(ex) == SqlFailure.DUPLICATE) {
				return false;
			}
			throw ex;
		}
	}

	/**
	 * Changes a row.
	 * @return {@code false} if it has another revision, or outside of the window
	 */
	boolean update(Row row) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.update())) {
			setUpdate(statement, row);
			return count(statement) == 1;
		}
	}

	/** Sets the parameters of {@link Sql#update()}. */
	void setUpdate(PreparedStatement statement, Row row) throws SQLException {
		row.window(statement, row.nameAndVersion(statement, row.values(statement, 1)));
	}

	/**
	 * Changes a row, sends messages if it was changed, and reads the row if it was not.
	 * The row that was read is the former one if another transaction changed it
	 * meanwhile.
	 */
	Changed updateAndNotify(Row row, List<Message> messages) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.updateAndNotify())) {
			int next = row.window(statement, row.nameAndVersion(statement, row.values(statement, 1)));
			statement.setArray(next++, this.connection.createArrayOf("text",
					messages.stream().map((message) -> Notifications.channel(message.engine())).toArray()));
			statement.setArray(next++,
					this.connection.createArrayOf("text", messages.stream().map(Message::text).toArray()));
			statement.setString(next, row.name());
			return changed(statement);
		}
	}

	/** Takes a row that is there and idle. */
	boolean takeIdle(Row row) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.takeIdle())) {
			int next = row.values(statement, 1);
			statement.setString(next++, row.name());
			statement.setLong(next++, row.change().tokenFloor());
			row.window(statement, next);
			return count(statement) == 1;
		}
	}

	/**
	 * Takes a row that is idle or not there, or reads it; at worst the row that was read
	 * is stale.
	 */
	Changed take(Row row) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.take())) {
			statement.setString(1, row.name());
			int next = row.window(statement, row.values(statement, 2));
			statement.setString(next++, row.name());
			statement.setLong(next++, row.change().tokenFloor());
			statement.setLong(next++, row.change().tokenFloor());
			next = row.window(statement, next);
			statement.setString(next, row.name());
			return changed(statement);
		}
	}

	private Changed changed(PreparedStatement statement) throws SQLException {
		long sentAt = this.clock.nanoTime();
		try (ResultSet result = changedRows(statement)) {
			result.next();
			Found found = found(result, sentAt);
			return new Changed(result.getInt(4) == 1, found);
		}
	}

	/**
	 * Deletes a row that still has a revision.
	 * @return whether it was deleted
	 */
	boolean delete(String name, long revision) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.deleteIdle())) {
			statement.setString(1, name);
			statement.setLong(2, revision);
			return count(statement) == 1;
		}
	}

	/** Executes a statement that reads. */
	ResultSet rows(PreparedStatement statement) throws SQLException {
		return rows(statement, this.sql.limitsReads());
	}

	/** Executes a statement that changes rows and returns some. */
	ResultSet changedRows(PreparedStatement statement) throws SQLException {
		return rows(statement, this.sql.limitsWrites());
	}

	private ResultSet rows(PreparedStatement statement, boolean limited) throws SQLException {
		limit(statement);
		if (!limited) {
			return statement.executeQuery();
		}
		executeAfterLimits(statement);
		return statement.getResultSet();
	}

	/** Executes a statement that returns no rows; returns how many changed. */
	private int count(PreparedStatement statement) throws SQLException {
		limit(statement);
		if (!this.sql.limitsWrites()) {
			return statement.executeUpdate();
		}
		executeAfterLimits(statement);
		return statement.getUpdateCount();
	}

	/** Executes a batch of statements, for any database but PostgreSQL. */
	int[] counts(PreparedStatement statement) throws SQLException {
		limit(statement);
		return statement.executeBatch();
	}

	private void limit(PreparedStatement statement) throws SQLException {
		if (this.sql.seconds() > 0) {
			statement.setQueryTimeout(this.sql.seconds());
		}
	}

	/** The first result is that of the limits. */
	private static void executeAfterLimits(PreparedStatement statement) throws SQLException {
		statement.execute();
		statement.getMoreResults();
	}

}
