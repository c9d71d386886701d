package io.distlock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import io.distlock.LockRequest;
import io.distlock.records.RecordSettings;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link JdbcLockStore}. Immutable; created by a {@linkplain #builder()
 * builder}.
 */
public final class JdbcLockStoreSettings {

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

	private final String table;

	private final String keyPrefix;

	private final int connections;

	private final Duration keepIdle;

	private final boolean notifications;

	private final RecordSettings records;

	private JdbcLockStoreSettings(Builder builder) {
		this.table = builder.table;
		this.keyPrefix = builder.keyPrefix;
		this.connections = builder.connections;
		this.keepIdle = builder.keepIdle;
		this.notifications = builder.notifications;
		require(TABLE.matcher(this.table).matches(),
				"The table of locks must be a plain name, with a schema before it or not, was '"
						+ ForeignText.of(this.table) + "'");
		require(PREFIX.matcher(this.keyPrefix).matches(),
				"The key prefix of locks must be at most 50 printable ASCII characters without blank and %, was '"
						+ ForeignText.of(this.keyPrefix) + "'");
		require(this.connections >= 1 && this.connections <= MOST_CONNECTIONS,
				"The connections of the lock store must be from 1 to " + MOST_CONNECTIONS + ", was "
						+ this.connections);
		require(this.keepIdle.compareTo(LEAST_KEEP) >= 0 && this.keepIdle.compareTo(LockRequest.MAX_LEASE) <= 0,
				"The time for which idle rows are kept must be between " + DurationText.of(LEAST_KEEP) + " and "
						+ DurationText.of(LockRequest.MAX_LEASE) + ", was " + DurationText.of(this.keepIdle));
		this.records = RecordSettings.POLLED.withPollInterval(builder.pollInterval)
			.withCommandTimeout(builder.commandTimeout);
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

	/**
	 * Returns the table of the locks.
	 * @return a plain name, perhaps preceded by a schema
	 */
	public String table() {
		return this.table;
	}

	/**
	 * Returns the text with which the names of all locks begin.
	 * @return the prefix, the same in all processes that share locks
	 */
	public String keyPrefix() {
		return this.keyPrefix;
	}

	/**
	 * Returns how many connections the store uses for statements.
	 * @return from 1 to 100
	 */
	public int connections() {
		return this.connections;
	}

	/**
	 * Returns how long a statement may take, and how long the store repeats a command
	 * that loses races.
	 * @return the command timeout
	 */
	public Duration commandTimeout() {
		return this.records.commandTimeout();
	}

	/**
	 * Returns the longest pause between two polls of a waiter at the front of a line that
	 * moves. The pause is at least 500 ms while notifications arrive.
	 * @return the poll interval
	 */
	public Duration pollInterval() {
		return this.records.pollInterval();
	}

	/**
	 * Returns how long the store keeps an unused row.
	 * @return the time to keep it
	 */
	public Duration keepIdle() {
		return this.keepIdle;
	}

	/**
	 * Returns whether processes notify each other if the database supports it, so that
	 * waiters seldom poll.
	 * @return whether they do
	 */
	public boolean notifications() {
		return this.notifications;
	}

	RecordSettings records() {
		return this.records;
	}

	private List<Object> values() {
		return List.of(this.table, this.keyPrefix, this.connections, this.keepIdle, this.notifications, this.records);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JdbcLockStoreSettings settings && values().equals(settings.values());
	}

	@Override
	public int hashCode() {
		return values().hashCode();
	}

	@Override
	public String toString() {
		return "JdbcLockStoreSettings[table=" + this.table + ", keyPrefix=" + this.keyPrefix + ", connections="
				+ this.connections + ", commandTimeout=" + commandTimeout() + ", pollInterval=" + pollInterval()
				+ ", keepIdle=" + this.keepIdle + ", notifications=" + this.notifications + "]";
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
		 * time that it has been there, at most 1 s. The pause is at least 500 ms while
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
			return new JdbcLockStoreSettings(this);
		}

	}

}
