package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of stores on a majority of Redis masters, besides what they have in
 * common with a single server.
 *
 * @param nodes The masters, an odd number of at least three that share nothing: host:port
 * or redis(s)://user:password@host:port/database.
 * @param quarantine For how long a node that lost its data, or is new, grants no lock; at
 * least the longest lease in use. The default is the lease time; 0 for never.
 */
@ConfigurationProperties("distributed-lock.redlock")
record RedlockProperties(@DefaultValue List<String> nodes, @Nullable Duration quarantine) {

	static final String GROUP = "redlock";

	/**
	 * Copies the list.
	 */
	RedlockProperties {
		nodes = List.copyOf(nodes);
	}

	@Override
	public String toString() {
		// The nodes may have passwords.
		return this.nodes.size() + " nodes";
	}

}
