package io.distlock.autoconfigure.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.distlock.autoconfigure.StoreCheck;

/**
 * Configuration of stores on Redis. Key prefix, startup check and client also count for
 * the nodes of Redlock.
 *
 * @param url A server of the locks' own, apart from the application's:
 * redis(s)://user:password@host:port/database.
 * @param client Which client sends the commands of locks.
 * @param keyPrefix What all keys and channels begin with; the same in all applications
 * that share locks.
 * @param startupCheck What to do at startup when the server cannot keep locks: a missing
 * right, a version that is too old, a policy of eviction. A server that does not answer
 * only causes a warning.
 * @param quarantine For how long no lock is granted after Redis lost its data, or is new;
 * at least the longest lease in use. 0 for never, as it must be with Cluster.
 * @param failoverDelay For how long no lock is granted after another server became the
 * master, with Sentinel and with Cluster; at least the longest lease in use. Includes a
 * quarantine. 0 for never.
 */
@ConfigurationProperties("distributed-lock.redis")
record RedisLockProperties(@Nullable String url, @DefaultValue("auto") ClientChoice client,
		@DefaultValue("lk:") String keyPrefix, @DefaultValue("fail") StoreCheck.Mode startupCheck,
		@DefaultValue("0s") Duration quarantine, @DefaultValue("0s") Duration failoverDelay) {

	static final String GROUP = "redis";

	@Override
	public String toString() {
		// The URL may have a password.
		return "prefix " + this.keyPrefix;
	}

	/** Which client sends the commands of locks. */
	enum ClientChoice {

		/** That of the application. */
		AUTO,

		/** Lettuce. */
		LETTUCE,

		/** Jedis, if need be beside the application's client. */
		JEDIS

	}

}
