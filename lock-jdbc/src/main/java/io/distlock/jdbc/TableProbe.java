package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Executes the store's statements for the whole life of one row. */
final class TableProbe {

	/** The year 2020; a server with an earlier time has no correct clock. */
	private static final long OLDEST_MICROS = TimeUnit.SECONDS.toMicros(1_577_836_800);

	/** Longer than the TEXT type of MySQL, which schema files do not use. */
	private static final int LONG_RECORD = 70_000;

	private static final long WINDOW = TimeUnit.MINUTES.toMicros(1);

	private final Connection connection;

	private final Sql sql;

	private final String table;

	private final String prefix;

	private final List<String> problems = new ArrayList<>();

	TableProbe(Connection connection, Dialect dialect, JdbcLockStoreSettings settings, Duration timeout) {
		this.connection = connection;
		this.sql = dialect.patientSql(settings.table(), timeout);
		this.table = settings.table();
		this.prefix = settings.keyPrefix() + "probe:" + UUID.randomUUID() + ":";
	}

	/**
	 * Returns what goes wrong; throws an exception if the database refuses a statement.
	 */
	List<String> problems() throws SQLException {
		String lower = pad(this.prefix + "a");
		String upper = pad(this.prefix + "A");
		try {
			live(lower, upper);
		}
		catch (SQLException ex) {
			try {
				delete(lower, upper);
			}
			catch (SQLException again) {
				ex.addSuppressed(again);
			}
			throw ex;
		}
		delete(lower, upper);
		return this.problems;
	}

	private void live(String lower, String upper) throws SQLException {
		long now = clock(lower);
		if (now < OLDEST_MICROS || clock(lower) < now) {
			this.problems.add("The clock of the database of table " + this.table + " shows "
					+ TimeUnit.MICROSECONDS.toMillis(now) + " ms since 1970, and leases count on it: set it");
			return;
		}
		expect(!insert(lower, now - WINDOW, now - 1), "a write is executed outside of its time");
		expect(insert(lower, now, now + WINDOW), "a row cannot be inserted");
		expect(!insert(lower, now, now + WINDOW), "a key is there twice, as the primary key is missing");
		expect(insert(upper, now, now + WINDOW),
				"keys that differ in case are equal, as the key needs a binary collation");
		expect(update(lower, 1, now), "a row cannot be changed");
		expect(!update(lower, 1, now), "a row is changed although it has another revision");
	}

	private void delete(String lower, String upper) throws SQLException {
		delete(lower, 2);
		delete(lower, 1);
		delete(upper, 1);
	}

	private void expect(boolean good, String otherwise) {
		if (!good && this.problems.isEmpty()) {
			this.problems.add("The table " + this.table + " cannot keep locks: " + otherwise);
		}
	}

	/** Pads a name to the length of the longest name of a lock. */
	private static String pad(String name) {
		return name + "-".repeat(RowNames.LONGEST - name.length());
	}

	private long clock(String name) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.read())) {
			statement.setString(1, name);
			try (ResultSet row = this.sql.rows(statement)) {
				row.next();
				return row.getLong(1);
			}
		}
	}

	private boolean insert(String name, long from, long to) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.insert())) {
			statement.setString(1, name);
			window(statement, values(statement, 2, 1, to), from, to);
			return this.sql.count(statement) == 1;
		}
		catch (SQLException ex) {
			if (SqlFailure.of(ex) == SqlFailure.DUPLICATE) {
				return false;
			}
			throw ex;
		}
	}

	private boolean update(String name, long revision, long now) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.update())) {
			int next = values(statement, 1, 2, now);
			statement.setString(next++, name);
			statement.setLong(next++, revision);
			window(statement, next, now, now + WINDOW);
			return this.sql.count(statement) == 1;
		}
	}

	private void delete(String name, long revision) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(this.sql.deleteIdle())) {
			statement.setString(1, name);
			statement.setLong(2, revision);
			this.sql.count(statement);
		}
	}

	/**
	 * Sets current values, because other processes delete rows that were not used for
	 * long.
	 */
	private static int values(PreparedStatement statement, int first, long revision, long now) throws SQLException {
		int next = first;
		statement.setLong(next++, revision);
		statement.setInt(next++, 0);
		statement.setLong(next++, now);
		statement.setString(next++, "-".repeat(LONG_RECORD));
		statement.setString(next++, "-".repeat(RowNames.LONGEST));
		statement.setInt(next++, 0);
		statement.setLong(next++, TimeUnit.MICROSECONDS.toMillis(now));
		return next;
	}

	private static void window(PreparedStatement statement, int first, long from, long to) throws SQLException {
		statement.setLong(first, from);
		statement.setLong(first + 1, to);
	}

}
