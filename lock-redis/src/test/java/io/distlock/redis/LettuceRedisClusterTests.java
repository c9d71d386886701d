package io.distlock.redis;

class LettuceRedisClusterTests extends AbstractRedisClusterTests {

	LettuceRedisClusterTests() {
		super(Client.LETTUCE);
	}

}
