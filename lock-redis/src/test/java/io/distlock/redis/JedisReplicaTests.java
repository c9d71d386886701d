package io.distlock.redis;

class JedisReplicaTests extends AbstractReplicaTests {

	JedisReplicaTests() {
		super(Client.JEDIS);
	}

}
