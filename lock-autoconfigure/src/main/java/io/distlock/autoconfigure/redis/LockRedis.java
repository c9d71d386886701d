package io.distlock.autoconfigure.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The Redis that keeps locks: that of the application, or a server of the locks' own.
 *
 * @param factory makes connections
 * @param closer closes the connections of the locks' own
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
