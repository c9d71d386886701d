package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisClusterFailoverTests extends AbstractClusterFailoverTests {

	JedisClusterFailoverTests() {
		super(Client.JEDIS);
	}

}
