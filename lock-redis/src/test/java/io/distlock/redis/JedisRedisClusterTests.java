package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisRedisClusterTests extends AbstractRedisClusterTests {

	JedisRedisClusterTests() {
		super(Client.JEDIS);
	}

}
