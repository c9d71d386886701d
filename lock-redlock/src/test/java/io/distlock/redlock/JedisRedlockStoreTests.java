package io.distlock.redlock;

class JedisRedlockStoreTests extends AbstractRedlockStoreTests {

	JedisRedlockStoreTests() {
		super(Client.JEDIS);
	}

}
