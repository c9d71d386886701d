package io.distlock.redis.pooled;

import redis.clients.jedis.UnifiedJedis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.util.ClassUtils;

/**
 * Recognizes clients that take a connection from their pool for each command, so that two
 * commands in a row may use different connections.
 */
final class PooledPerCommand {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.UnifiedJedis",
			PooledPerCommand.class.getClassLoader());

	private PooledPerCommand() {
	}

	static boolean isTrueOf(RedisConnection connection) {
		return JEDIS && Jedis.owns(connection);
	}

	/**
	 * Returns whether a connection belongs to Jedis, with or without a pool, or is an
	 * application's subclass of such a connection.
	 */
	static boolean isJedis(RedisConnection connection) {
		for (Class<?> type = connection.getNativeConnection().getClass(); type != null; type = type.getSuperclass()) {
			if (type.getName().startsWith("redis.clients.jedis.")) {
				return true;
			}
		}
		return false;
	}

	/** Loaded only if Jedis is on the class path. */
	private static final class Jedis {

		private Jedis() {
		}

		static boolean owns(RedisConnection connection) {
			return connection.getNativeConnection() instanceof UnifiedJedis;
		}

	}

}
