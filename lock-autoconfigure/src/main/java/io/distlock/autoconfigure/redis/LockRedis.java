package io.distlock.autoconfigure.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The Redis that keeps locks: the Redis of the application, or a separate server.
 *
 * @param factory makes connections
 * @param closer closes the separate connections
 */
record LockRedis(RedisConnectionFactory factory, Runnable closer) implements AutoCloseable {

	/** Creates a Redis whose connections the application closes. */
	static LockRedis ofApplication(RedisConnectionFactory factory) {
		return new LockRedis(factory, () -> {
		});
	}

	@Override
	public void close() {
		this.closer.run();
	}

}
