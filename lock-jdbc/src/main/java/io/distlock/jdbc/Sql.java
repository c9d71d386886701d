package io.distlock.jdbc;

/**
 * The statements for one table in one dialect, which {@link RowStatements} executes. A
 * change of an unknown or idle row is {@link #take} on PostgreSQL, elsewhere
 * {@link #insert} or {@link #takeIdle}; a change of a known row is {@link #update} or,
 * with messages, {@link #updateAndNotify}.
 *
 * @param limitsReads whether each statement that reads begins with limits of its waits
 * @param limitsWrites whether each statement that changes rows begins with limits
 * @param seconds after how long the driver ends a statement at the server; 0 if the
 * server does so by itself
 * @param read returns clock, revision and record; parameter: key
 * @param update parameters: values of the row, key, revision, window
 * @param insert parameters: key, values of the row, window
 * @param takeIdle parameters: values of the row, key, token floor, window
 * @param take returns clock, revision, record and whether the lock was taken; parameters:
 * key, values of the row, window, key, token floor, token floor, window, key
 * @param updateAndNotify returns clock, revision and record if the row was not changed,
 * and how many rows were changed; for PostgreSQL only. It sends messages if a row was
 * changed. Parameters: values of the row, key, revision, window, channels, texts, key
 * @param updateTogether changes several rows, for PostgreSQL only. It returns the new
 * revision of each row that was changed, and the clock. Each parameter is an array with
 * one element per row: keys, expected revisions, values, windows
 * @param lockRow returns the record, which no other transaction changes until this
 * transaction ends; parameter: key
 * @param idleRows returns key and revision; parameters: token in microseconds, end in
 * milliseconds
 * @param busyRows returns clock, revision, record and key of rows in use, in the order of
 * the primary key; parameters: key after which to begin, first key, key before which to
 * end
 * @param deleteIdle parameters: key, revision
 */
record Sql(boolean limitsReads, boolean limitsWrites, int seconds, String read, String update, String insert,
		String takeIdle, String take, String updateAndNotify, String updateTogether, String lockRow, String idleRows,
		String busyRows, String deleteIdle) {

	private static final String COLUMNS = "lock_key, revision, busy, token, record, holder, waiting, held_until";

	/**
	 * Finds a record without a hold. The record decides, even if the columns beside it
	 * disagree. Each hold in a record begins with these characters, and nothing else in a
	 * record contains them.
	 */
	private static final String UNHELD = "POSITION('|H' IN %srecord) = 0";

	private static final String HOLD = "|H";

	/**
	 * Creates the statements.
	 * @param readLimits begins each statement that reads; empty if the session limits
	 * waits
	 * @param writeLimits begins each statement that changes rows; empty likewise
	 * @param key the key of the one row to change, with one parameter
	 * @param seconds after how long the driver ends a statement at the server; 0 if the
	 * server does so by itself
	 */
	static Sql of(String table, String clock, String from, String values, String onConflict, String shared,
			String readLimits, String writeLimits, String key, int seconds) {
		String read = readLimits + """
				SELECT %s, k.revision, k.record FROM (SELECT 1 AS one) o LEFT JOIN %s k ON k.lock_key = ?"""
			.formatted(clock, table);
		String set = """
				UPDATE %s SET revision = ?, busy = ?, token = ?, record = ?, holder = ?, waiting = ?, held_until = ? \
				WHERE lock_key = %s""".formatted(table, key);
		String change = set + " AND revision = ? AND " + clock + " BETWEEN ? AND ?";
		String update = writeLimits + change;
		String takeIdle = writeLimits + set + " AND busy = 0 AND token < ? AND " + UNHELD.formatted("") + " AND "
				+ clock + " BETWEEN ? AND ?";
		String insert = writeLimits + "INSERT INTO %s (%s) SELECT %s %s WHERE %s BETWEEN ? AND ? %s"
			.formatted(table, COLUMNS, values, from, clock, onConflict)
			.strip();
		// The look before the change costs no transaction id. The change looks again,
		// because only the change sees the latest row.
		String take = writeLimits + """
				WITH taken AS (INSERT INTO %1$s AS l (%2$s) SELECT %3$s WHERE %4$s BETWEEN ? AND ? \
				AND NOT EXISTS (SELECT 1 FROM %1$s b WHERE b.lock_key = ? \
				AND NOT (b.busy = 0 AND b.token < ? AND %5$s)) \
				ON CONFLICT (lock_key) DO UPDATE SET revision = excluded.revision, busy = excluded.busy, \
				token = excluded.token, record = excluded.record, holder = excluded.holder, \
				waiting = excluded.waiting, held_until = excluded.held_until \
				WHERE l.busy = 0 AND l.token < ? AND %6$s AND %4$s BETWEEN ? AND ? RETURNING 1) \
				SELECT %4$s, k.revision, k.record, (SELECT count(*) FROM taken) \
				FROM (SELECT 1) o LEFT JOIN %1$s k ON k.lock_key = ?""".formatted(table, COLUMNS, values, clock,
				UNHELD.formatted("b."), UNHELD.formatted("l."));
		String updateAndNotify = writeLimits + """
				WITH changed AS (%s RETURNING 1) SELECT %s, k.revision, k.record, (SELECT count(*) FROM changed), \
				(SELECT count(pg_notify(m.channel, m.text)) FROM changed, \
				unnest(CAST(? AS text[]), CAST(? AS text[])) AS m(channel, text)) \
				FROM (SELECT 1) o LEFT JOIN %s k ON k.lock_key = ? AND NOT EXISTS (SELECT 1 FROM changed)"""
			.formatted(change, clock, table);
		// This statement skips rows that another transaction has locked. So a slow change
		// of one row delays no other row, and no statement waits for two rows.
		String updateTogether = writeLimits + """
				WITH v AS (SELECT u.* FROM %1$s k JOIN unnest(CAST(? AS text[]), CAST(? AS bigint[]), \
				CAST(? AS bigint[]), CAST(? AS smallint[]), CAST(? AS bigint[]), CAST(? AS text[]), \
				CAST(? AS text[]), CAST(? AS integer[]), CAST(? AS bigint[]), CAST(? AS bigint[]), \
				CAST(? AS bigint[])) AS u(lock_key, expected, revision, busy, token, record, holder, waiting, \
				held_until, not_before, not_after) ON k.lock_key = u.lock_key AND k.revision = u.expected \
				FOR UPDATE OF k SKIP LOCKED) \
				UPDATE %1$s AS l SET revision = v.revision, busy = v.busy, token = v.token, record = v.record, \
				holder = v.holder, waiting = v.waiting, held_until = v.held_until FROM v \
				WHERE l.lock_key = v.lock_key AND l.revision = v.expected \
				AND %2$s BETWEEN v.not_before AND v.not_after RETURNING l.revision, %2$s""".formatted(table, clock);
		String lockRow = "SELECT record FROM " + table + " WHERE lock_key = ? " + shared;
		String idleRows = readLimits
				+ "SELECT lock_key, revision FROM %s WHERE token < ? AND held_until < ?".formatted(table);
		String busyRows = readLimits + """
				SELECT %s, revision, record, lock_key FROM %s WHERE lock_key > ? AND lock_key >= ? AND lock_key < ? \
				AND busy = 1 ORDER BY lock_key""".formatted(clock, table);
		String deleteIdle = writeLimits + "DELETE FROM %s WHERE lock_key = %s AND revision = ?".formatted(table, key);
		return new Sql(!readLimits.isEmpty(), !writeLimits.isEmpty(), seconds, read, update, insert, takeIdle, take,
				updateAndNotify, updateTogether, lockRow, idleRows, busyRows, deleteIdle);
	}

	/** Returns whether a record has a hold. */
	static boolean isHeld(String record) {
		return record.contains(HOLD);
	}

}
