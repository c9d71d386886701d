package io.distlock.redis;

class JedisRedisClusterTests extends AbstractRedisClusterTests {

	JedisRedisClusterTests() {
		super(Client.JEDIS);
	}

}
