package io.distlock.jdbc;

import java.time.Duration;
import java.util.regex.Pattern;

import io.distlock.records.RecordSettings;
import io.distlock.support.ForeignText;

/**
 * Settings of a store in a database.
 *
 * @param table the table, a plain name, with a schema before it or not
 * @param keyPrefix what the names of all locks begin with, for several applications on
 * one table; printable ASCII, at most 50 characters
 * @param connections how many connections the store uses for statements, from 1 to 100
 * @param commandTimeout for how long a statement may take, and a command that loses races
 * is tried anew; at least 10 ms
 * @param pollInterval the longest pause between two looks of a waiter, at least 2 ms;
 * while notifications arrive, it counts as at least 500 ms
 * @param keepIdle for how long an unused row is kept, at least a minute
 * @param notifications whether processes notify each other where the database can, so
 * that waiters seldom poll: on PostgreSQL, for one connection more
 */
public record JdbcLockStoreSettings(String table, String keyPrefix, int connections, Duration commandTimeout,
		Duration pollInterval, Duration keepIdle, boolean notifications) {

	private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

	private static final Pattern PREFIX = Pattern.compile("[!-$&-~]{0,50}");

	private static final int MOST_CONNECTIONS = 100;

	/**
	 * Table {@code distributed_lock}, no prefix, two connections, the command timeout of
	 * {@link io.distlock.LockSettings#DEFAULTS}, polls every 50 ms, rows kept for a day,
	 * notifications. A template with another command timeout needs it here too.
	 */
	public static final JdbcLockStoreSettings DEFAULTS = new JdbcLockStoreSettings("distributed_lock", "", 2,
			RecordSettings.POLLED.commandTimeout(), RecordSettings.POLLED.pollInterval(), Duration.ofDays(1), true);

	/**
	 * Checks the values.
	 * @param table the table
	 * @param keyPrefix what the names of all locks begin with
	 * @param connections how many connections the store uses at most
	 * @param commandTimeout for how long a statement may take
	 * @param pollInterval the longest pause between two looks of a waiter
	 * @param keepIdle for how long an unused row is kept
	 * @param notifications whether processes notify each other where the database can
	 * @throws IllegalArgumentException if one is out of its range
	 */
	public JdbcLockStoreSettings {
		require(TABLE.matcher(table).matches(),
				"The table of locks must be a plain name, with a schema before it or not, was '" + ForeignText.of(table)
						+ "'");
		require(PREFIX.matcher(keyPrefix).matches(),
				"The key prefix of locks must be at most 50 printable ASCII characters without blank and %, was '"
						+ ForeignText.of(keyPrefix) + "'");
		require(connections >= 1 && connections <= MOST_CONNECTIONS,
				"The connections of the lock store must be from 1 to " + MOST_CONNECTIONS + ", was " + connections);
		require(keepIdle.compareTo(Duration.ofMinutes(1)) >= 0,
				"The time for which idle rows are kept must be at least a minute, was " + keepIdle);
		new RecordSettings(pollInterval, commandTimeout, RecordSettings.POLLED.guard());
	}

	private static void require(boolean valid, String message) {
		if (!valid) {
			throw new IllegalArgumentException(message);
		}
	}

	/**
	 * Returns these settings with another table.
	 * @param changed the table
	 * @return the settings
	 */
	public JdbcLockStoreSettings withTable(String changed) {
		return new JdbcLockStoreSettings(changed, this.keyPrefix, this.connections, this.commandTimeout,
				this.pollInterval, this.keepIdle, this.notifications);
	}

	/**
	 * Returns these settings with another key prefix.
	 * @param changed what the names of all locks begin with
	 * @return the settings
	 */
	public JdbcLockStoreSettings withKeyPrefix(String changed) {
		return new JdbcLockStoreSettings(this.table, changed, this.connections, this.commandTimeout, this.pollInterval,
				this.keepIdle, this.notifications);
	}

	/**
	 * Returns these settings with another number of connections.
	 * @param changed how many connections the store uses for statements
	 * @return the settings
	 */
	public JdbcLockStoreSettings withConnections(int changed) {
		return new JdbcLockStoreSettings(this.table, this.keyPrefix, changed, this.commandTimeout, this.pollInterval,
				this.keepIdle, this.notifications);
	}

	/**
	 * Returns these settings with another command timeout.
	 * @param changed for how long a statement may take
	 * @return the settings
	 */
	public JdbcLockStoreSettings withCommandTimeout(Duration changed) {
		return new JdbcLockStoreSettings(this.table, this.keyPrefix, this.connections, changed, this.pollInterval,
				this.keepIdle, this.notifications);
	}

	/**
	 * Returns these settings with another poll interval.
	 * @param changed the longest pause between two looks of a waiter
	 * @return the settings
	 */
	public JdbcLockStoreSettings withPollInterval(Duration changed) {
		return new JdbcLockStoreSettings(this.table, this.keyPrefix, this.connections, this.commandTimeout, changed,
				this.keepIdle, this.notifications);
	}

	/**
	 * Returns these settings with another time for which idle rows are kept.
	 * @param changed for how long an unused row is kept
	 * @return the settings
	 */
	public JdbcLockStoreSettings withKeepIdle(Duration changed) {
		return new JdbcLockStoreSettings(this.table, this.keyPrefix, this.connections, this.commandTimeout,
				this.pollInterval, changed, this.notifications);
	}

	/**
	 * Returns these settings with or without notifications.
	 * @param changed whether processes notify each other where the database can
	 * @return the settings
	 */
	public JdbcLockStoreSettings withNotifications(boolean changed) {
		return new JdbcLockStoreSettings(this.table, this.keyPrefix, this.connections, this.commandTimeout,
				this.pollInterval, this.keepIdle, changed);
	}

	RecordSettings records() {
		return RecordSettings.POLLED.withPollInterval(this.pollInterval).withCommandTimeout(this.commandTimeout);
	}

}
