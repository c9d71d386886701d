package io.distlock.redis.pooled;

import java.time.Duration;
import java.util.Optional;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Decides whether a caller may use a client that blocks. The client must return within
 * the command timeout even if the server or the pool hangs. The check counts only one
 * wait for an answer. A server that is slow but does not hang may use up the read timeout
 * several times while a new connection logs in.
 */
final class BoundedClient {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			BoundedClient.class.getClassLoader());

	private BoundedClient() {
	}

	/**
	 * Returns whether the timeouts of the given client can be read.
	 * @param factory the client
	 */
	static boolean isKnown(RedisConnectionFactory factory) {
		return JEDIS && Jedis.owns(factory);
	}

	/**
	 * Returns why callers must not use the given client.
	 * @param factory the client
	 * @param timeout the command timeout
	 * @return what to change, or empty if callers may use it
	 */
	static Optional<String> objection(RedisConnectionFactory factory, Duration timeout) {
		if (!isKnown(factory)) {
			return Optional.of("its timeouts are not known");
		}
		return Jedis.objection(factory, timeout);
	}

	/** Loaded only if Jedis is on the class path. */
	private static final class Jedis {

		private Jedis() {
		}

		static boolean owns(RedisConnectionFactory factory) {
			return factory instanceof JedisConnectionFactory;
		}

		static Optional<String> objection(RedisConnectionFactory factory, Duration timeout) {
			JedisConnectionFactory jedis = (JedisConnectionFactory) factory;
			if (jedis.getClusterConfiguration() != null) {
				return Optional.of("in a Cluster it repeats commands for an unknown time");
			}
			if (!jedis.getUsePool()) {
				return Optional.of("without a pool it opens a connection for each command");
			}
			GenericObjectPoolConfig<?> settings = jedis.getPoolConfig();
			if (settings != null && (settings.getTestOnBorrow() || settings.getTestOnCreate())) {
				return Optional.of("its pool tests connections before it lends them (test-on-borrow, test-on-create), "
						+ "one after the other, and each test may take as long as an answer");
			}
			Duration read = jedis.getClientConfiguration().getReadTimeout();
			Duration connect = jedis.getClientConfiguration().getConnectTimeout();
			Duration pool = longestWait(settings);
			Duration first = (pool.compareTo(connect) > 0) ? pool : connect;
			if (isBounded(read) && isBounded(connect) && !pool.isNegative()
					&& first.plus(read).compareTo(timeout) <= 0) {
				return Optional.empty();
			}
			return Optional.of("it may block a caller for longer than the command timeout of " + timeout.toMillis()
					+ " ms: an answer may take " + text(read) + ", connecting " + text(connect)
					+ ", a connection of the pool " + (pool.isZero() ? "0 ms" : text(pool)));
		}

		private static boolean isBounded(Duration limit) {
			return !limit.isZero() && !limit.isNegative();
		}

		private static String text(Duration limit) {
			return isBounded(limit) ? limit.toMillis() + " ms" : "forever";
		}

		/**
		 * Returns how long the pool waits for a connection; negative if it has no limit.
		 */
		private static Duration longestWait(@Nullable GenericObjectPoolConfig<?> pool) {
			return (pool == null || pool.getMaxTotal() < 0 || !pool.getBlockWhenExhausted()) ? Duration.ZERO
					: pool.getMaxWaitDuration();
		}

	}

}
