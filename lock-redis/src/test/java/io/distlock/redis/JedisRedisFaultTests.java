package io.distlock.redis;

class JedisRedisFaultTests extends AbstractRedisFaultTests {

	JedisRedisFaultTests() {
		super(Client.JEDIS);
	}

}
