package io.distlock.records;

import java.time.Duration;

import io.distlock.LockSettings;
import io.distlock.support.DurationText;

/**
 * Settings of a {@link RecordLockStore}. If processes that share locks have different
 * graces after a lease, the longest grace counts.
 *
 * @param pollInterval the longest pause between two looks of a waiter at the front of a
 * line that moves, from 2 ms to an hour. The first in line looks every 2 ms at first, the
 * others more rarely the slower the line moves. A waiter that stays at its place pauses
 * for a twentieth of the time that it has been there, at most 1.5 s. While messages
 * arrive, a waiter looks at this interval, at most every 500 ms
 * @param commandTimeout how long a command is retried after conflicting writes, from 10
 * ms to an hour
 * @param graceAfterLease how long after the end of a lease other processes still cannot
 * get the lock, from 10 ms to a minute; a change is stored within this time from the
 * moment for which it was computed, or not at all; the time must cover the round trip to
 * the place
 */
public record RecordSettings(Duration pollInterval, Duration commandTimeout, Duration graceAfterLease) {

	private static final Duration LONGEST = Duration.ofHours(1);

	/** The longest grace. A record with a longer grace is damaged. */
	private static final Duration LONGEST_GRACE = Duration.ofMinutes(1);

	/**
	 * The settings for a place that sends messages: a poll every 500 ms, the command
	 * timeout of {@link LockSettings#DEFAULTS}, and a grace of 100 ms.
	 */
	public static final RecordSettings NOTIFIED = new RecordSettings(Duration.ofMillis(500),
			LockSettings.DEFAULTS.commandTimeout(), Duration.ofMillis(100));

	/**
	 * The settings for a place without messages: like {@link #NOTIFIED}, with a poll
	 * every 50 ms at the front of a line that moves.
	 */
	public static final RecordSettings POLLED = NOTIFIED.withPollInterval(Duration.ofMillis(50));

	/**
	 * Checks the values.
	 * @param pollInterval the longest pause between two looks of a waiter at the front of
	 * a line that moves
	 * @param commandTimeout how long a command is retried after conflicting writes
	 * @param graceAfterLease how long after the end of a lease other processes still
	 * cannot get the lock
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public RecordSettings {
		require("poll interval", pollInterval, Duration.ofMillis(2), LONGEST);
		require("command timeout", commandTimeout, Duration.ofMillis(10), LONGEST);
		require("grace after a lease", graceAfterLease, Duration.ofMillis(10), LONGEST_GRACE);
	}

	private static void require(String name, Duration value, Duration least, Duration most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw new IllegalArgumentException("The " + name + " of a record store must be between "
					+ DurationText.of(least) + " and " + DurationText.of(most) + ", was " + DurationText.of(value));
		}
	}

	/**
	 * Returns these settings with another poll interval.
	 * @param changed the longest pause between two looks of a waiter at the front of a
	 * line that moves
	 * @return the settings
	 */
	public RecordSettings withPollInterval(Duration changed) {
		return new RecordSettings(changed, this.commandTimeout, this.graceAfterLease);
	}

	/**
	 * Returns these settings with another command timeout.
	 * @param changed how long a command is retried after conflicting writes
	 * @return the settings
	 */
	public RecordSettings withCommandTimeout(Duration changed) {
		return new RecordSettings(this.pollInterval, changed, this.graceAfterLease);
	}

}
