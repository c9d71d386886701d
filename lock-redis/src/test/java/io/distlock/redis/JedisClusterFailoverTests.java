package io.distlock.redis;

class JedisClusterFailoverTests extends AbstractClusterFailoverTests {

	JedisClusterFailoverTests() {
		super(Client.JEDIS);
	}

}
