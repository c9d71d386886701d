package io.distlock.redis;

class JedisQuarantineTests extends AbstractQuarantineTests {

	JedisQuarantineTests() {
		super(Client.JEDIS);
	}

}
