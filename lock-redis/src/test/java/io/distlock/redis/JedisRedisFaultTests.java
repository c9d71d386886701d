package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisRedisFaultTests extends AbstractRedisFaultTests {

	JedisRedisFaultTests() {
		super(Client.JEDIS);
	}

}
