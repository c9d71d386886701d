package io.distlock.jdbc;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

import io.distlock.LockRequest;
import io.distlock.records.RecordSettings;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * Settings of a {@link JdbcLockStore}.
 *
 * @param table the table of the locks: a plain name, perhaps preceded by a schema
 * @param keyPrefix the text with which the names of all locks begin, the same in all
 * processes that share locks
 * @param connections how many connections the store uses for statements, from 1 to 100
 * @param commandTimeout how long a statement may take, and how long the store repeats a
 * command that loses races
 * @param pollInterval the longest pause between two polls of a waiter at the front of a
 * line that moves. The pause is at least 500 ms while notifications arrive
 * @param keepIdle how long the store keeps an unused row
 * @param notifications whether processes notify each other if the database supports it,
 * so that waiters seldom poll
 */
public record JdbcLockStoreSettings(String table, String keyPrefix, int connections, Duration commandTimeout,
		Duration pollInterval, Duration keepIdle, boolean notifications) {

	private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

	private static final Pattern PREFIX = Pattern.compile("[!-$&-~]{0,50}");

	private static final int MOST_CONNECTIONS = 100;

	private static final Duration LEAST_KEEP = Duration.ofMinutes(1);

	/**
	 * Table {@code distributed_lock}, no prefix, two connections, the command timeout of
	 * {@link io.distlock.LockSettings#DEFAULTS}, polls every 50 ms, unused rows kept for
	 * an hour, notifications.
	 */
	public static final JdbcLockStoreSettings DEFAULTS = builder().build();

	/**
	 * Checks the values. Applications use the {@linkplain #builder() builder}, because a
	 * further setting changes this constructor.
	 * @param table the table of the locks
	 * @param keyPrefix the text with which the names of all locks begin
	 * @param connections how many connections the store uses for statements
	 * @param commandTimeout how long a statement may take
	 * @param pollInterval the longest pause between two polls
	 * @param keepIdle how long the store keeps an unused row
	 * @param notifications whether processes notify each other
	 * @throws IllegalArgumentException if a value is out of its range
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
		require(keepIdle.compareTo(LEAST_KEEP) >= 0 && keepIdle.compareTo(LockRequest.MAX_LEASE) <= 0,
				"The time for which idle rows are kept must be between " + DurationText.of(LEAST_KEEP) + " and "
						+ DurationText.of(LockRequest.MAX_LEASE) + ", was " + DurationText.of(keepIdle));
		// Checks the settings of all stores on records.
		records(pollInterval, commandTimeout);
	}

	private static void require(boolean valid, String message) {
		if (!valid) {
			throw new IllegalArgumentException(message);
		}
	}

	/**
	 * Starts with the defaults.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	RecordSettings records() {
		return records(this.pollInterval, this.commandTimeout);
	}

	private static RecordSettings records(Duration pollInterval, Duration commandTimeout) {
		return RecordSettings.POLLED.withPollInterval(pollInterval).withCommandTimeout(commandTimeout);
	}

	/** Collects settings. */
	public static final class Builder {

		private String table = "distributed_lock";

		private String keyPrefix = "";

		private int connections = 2;

		private Duration commandTimeout = RecordSettings.POLLED.commandTimeout();

		private Duration pollInterval = RecordSettings.POLLED.pollInterval();

		private Duration keepIdle = Duration.ofHours(1);

		private boolean notifications = true;

		private Builder() {
		}

		/**
		 * Sets the table of the locks.
		 * @param table a plain name, perhaps preceded by a schema; the same in all
		 * processes that share locks
		 * @return this builder
		 */
		public Builder table(String table) {
			this.table = Objects.requireNonNull(table, "'table' must not be null");
			return this;
		}

		/**
		 * Sets the text with which the names of all locks begin, so that several
		 * applications can share a table.
		 * @param keyPrefix printable ASCII without blank and %, at most 50 characters
		 * @return this builder
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = Objects.requireNonNull(keyPrefix, "'keyPrefix' must not be null");
			return this;
		}

		/**
		 * Sets how many connections the store uses for statements.
		 * @param connections from 1 to 100
		 * @return this builder
		 */
		public Builder connections(int connections) {
			this.connections = connections;
			return this;
		}

		/**
		 * Sets how long a statement may take, and how long the store repeats a command
		 * that loses races. If the lock template has another command timeout, set the
		 * same timeout here.
		 * @param commandTimeout the command timeout, from 10 ms to an hour
		 * @return this builder
		 */
		public Builder commandTimeout(Duration commandTimeout) {
			this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
			return this;
		}

		/**
		 * Sets the longest pause between two polls of a waiter at the front of a line
		 * that moves. A waiter that stays at its place pauses longer, a twentieth of the
		 * time that it has been there, at most 1.5 s. The pause is at least 500 ms while
		 * notifications arrive.
		 * @param pollInterval the poll interval, from 2 ms to an hour
		 * @return this builder
		 */
		public Builder pollInterval(Duration pollInterval) {
			this.pollInterval = Objects.requireNonNull(pollInterval, "'pollInterval' must not be null");
			return this;
		}

		/**
		 * Sets how long the store keeps an unused row.
		 * @param keepIdle the time, from a minute to
		 * {@link io.distlock.LockRequest#MAX_LEASE}
		 * @return this builder
		 */
		public Builder keepIdle(Duration keepIdle) {
			this.keepIdle = Objects.requireNonNull(keepIdle, "'keepIdle' must not be null");
			return this;
		}

		/**
		 * Sets whether processes notify each other if the database supports it, so that
		 * waiters seldom poll. PostgreSQL supports it; the store uses one more connection
		 * there.
		 * @param notifications whether they do
		 * @return this builder
		 */
		public Builder notifications(boolean notifications) {
			this.notifications = notifications;
			return this;
		}

		/**
		 * Checks the values.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of its range
		 */
		public JdbcLockStoreSettings build() {
			return new JdbcLockStoreSettings(this.table, this.keyPrefix, this.connections, this.commandTimeout,
					this.pollInterval, this.keepIdle, this.notifications);
		}

	}

}
