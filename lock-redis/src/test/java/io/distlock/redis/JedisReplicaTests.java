package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisReplicaTests extends AbstractReplicaTests {

	JedisReplicaTests() {
		super(Client.JEDIS);
	}

}
