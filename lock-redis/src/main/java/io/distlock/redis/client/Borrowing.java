package io.distlock.redis.client;

import redis.clients.jedis.UnifiedJedis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.util.ClassUtils;

/**
 * Clients that take a connection from their pool for each command, so that two commands
 * in a row may go different ways.
 */
public final class Borrowing {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.UnifiedJedis",
			Borrowing.class.getClassLoader());

	private Borrowing() {
	}

	public static boolean forEachCommand(RedisConnection connection) {
		return JEDIS && Jedis.owns(connection);
	}

	/** Loaded only where Jedis is on the class path. */
	private static final class Jedis {

		private Jedis() {
		}

		static boolean owns(RedisConnection connection) {
			return connection.getNativeConnection() instanceof UnifiedJedis;
		}

	}

}
