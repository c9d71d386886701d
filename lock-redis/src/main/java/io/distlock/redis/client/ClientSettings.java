package io.distlock.redis.client;

import java.time.Duration;

/**
 * Holds how long a client waits.
 *
 * @param commandTimeout how long a command may wait for a connection or a thread
 * @param connectTimeout how much longer the first commands may wait, until there is a
 * connection
 */
public record ClientSettings(Duration commandTimeout, Duration connectTimeout) {

	/** Returns how long a command may wait for the first connection. */
	public Duration firstPatience() {
		return this.commandTimeout.plus(this.connectTimeout);
	}

}
