package io.distlock.redis;

class JedisSentinelFailoverTests extends AbstractSentinelFailoverTests {

	JedisSentinelFailoverTests() {
		super(Client.JEDIS);
	}

}
