package io.distlock.redis.pooled;

import java.lang.reflect.Proxy;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;

/** Which client a connection is of, without a server. */
class PooledPerCommandTests {

	private static RedisConnection connection(Object nativeConnection) {
		return (RedisConnection) Proxy.newProxyInstance(RedisConnection.class.getClassLoader(),
				new Class<?>[] { RedisConnection.class }, (proxy, method, arguments) -> nativeConnection);
	}

	@Test
	void jedisWhenOfJedisOrExtendsIt() {
		try (Jedis jedis = new Jedis(); Jedis own = new OwnJedis()) {
			assertThat(PooledPerCommand.isJedis(connection(jedis))).isTrue();
			assertThat(PooledPerCommand.isJedis(connection(own))).as("a class of the application").isTrue();
		}
	}

	@Test
	void jedisWhenOfAnotherClientThenNot() {
		assertThat(PooledPerCommand.isJedis(connection("of another client"))).isFalse();
	}

	private static final class OwnJedis extends Jedis {

	}

}
