package io.distlock.redis.client;

import java.time.Duration;

/**
 * How a client waits.
 *
 * @param commandTimeout how long a command may wait for a connection or a thread
 * @param replicas how many replicas must confirm acquisitions and renewals, 0 for none
 * @param replicaTimeout how long they may take
 */
public record ClientSettings(Duration commandTimeout, int replicas, Duration replicaTimeout) {

	boolean isReplicated() {
		return this.replicas > 0;
	}

}
