package io.distlock.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;

/**
 * Holds a change in the form of a row.
 *
 * @param name value of the key column
 * @param revision the revision that identifies this write
 * @param change what to write
 */
record Row(String name, long revision, Change change) {

	private static final long MICROS = 1000;

	/** Sets all columns but the key, and returns the index of the next parameter. */
	int values(PreparedStatement statement, int first) throws SQLException {
		int next = first;
		statement.setLong(next++, this.revision);
		statement.setInt(next++, busy());
		statement.setLong(next++, this.change.highest());
		statement.setString(next++, this.change.text());
		statement.setString(next++, this.change.summary().holder());
		statement.setInt(next++, this.change.summary().waiting());
		statement.setLong(next++, this.change.summary().until());
		return next;
	}

	/**
	 * Sets the name and the version that the change expects, and returns the index of the
	 * next parameter.
	 */
	int nameAndVersion(PreparedStatement statement, int first) throws SQLException {
		statement.setString(first, this.name);
		statement.setLong(first + 1, version());
		return first + 2;
	}

	/** Returns the version that the change expects. */
	long version() {
		return (Long) ((Expected.At) this.change.expected()).version();
	}

	/** Sets the bounds of the clock, and returns the index of the next parameter. */
	int window(PreparedStatement statement, int first) throws SQLException {
		statement.setLong(first, notBefore());
		statement.setLong(first + 1, notAfter());
		return first + 2;
	}

	int busy() {
		return this.change.idle() ? 0 : 1;
	}

	/** Returns the earliest time of the write, in microseconds. */
	long notBefore() {
		return Math.multiplyExact(this.change.notBefore(), MICROS);
	}

	/** Returns the latest time of the write, in microseconds. */
	long notAfter() {
		return Math.multiplyExact(this.change.notAfter(), MICROS) + MICROS - 1;
	}

}
