package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Summary;

/** Executes the store's statements for the whole life of one row. */
final class TableProbe {

	/** The year 2020; a server with an earlier time has no correct clock. */
	private static final long OLDEST_MICROS = TimeUnit.SECONDS.toMicros(1_577_836_800);

	/** Longer than the TEXT type of MySQL, which schema files do not use. */
	private static final int LONG_RECORD = 70_000;

	private static final long WINDOW = TimeUnit.MINUTES.toMillis(1);

	private final RowStatements statements;

	private final String table;

	private final String prefix;

	private final List<String> problems = new ArrayList<>();

	TableProbe(Connection connection, Dialect dialect, JdbcLockStoreSettings settings, Duration timeout) {
		this.statements = new RowStatements(connection, dialect.patientSql(settings.table(), timeout),
				new DatabaseClock(System::nanoTime));
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
		long micros = clock(lower);
		long now = TimeUnit.MICROSECONDS.toMillis(micros);
		if (micros < OLDEST_MICROS || clock(lower) < micros) {
			this.problems.add("The clock of the database of table " + this.table + " shows " + now
					+ " ms since 1970, and leases count on it: set it");
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
		return this.statements.read(name).micros();
	}

	private boolean insert(String name, long from, long to) throws SQLException {
		return this.statements.insert(row(name, new Expected.Absent(), 1, from, to));
	}

	private boolean update(String name, long revision, long now) throws SQLException {
		return this.statements.update(row(name, new Expected.At(revision), 2, now, now + WINDOW));
	}

	private void delete(String name, long revision) throws SQLException {
		this.statements.delete(name, revision);
	}

	/**
	 * Returns a row with current values, because other processes delete rows that were
	 * not used for long.
	 */
	private static Row row(String name, Expected expected, long revision, long from, long to) {
		Summary summary = new Summary("-".repeat(RowNames.LONGEST), 0, to);
		return new Row(name, revision, new Change(name, expected, "-".repeat(LONG_RECORD), true,
				TimeUnit.MILLISECONDS.toMicros(to), 0, from, to, List.of(), summary));
	}

}
