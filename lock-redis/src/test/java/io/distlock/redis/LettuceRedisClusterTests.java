package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class LettuceRedisClusterTests extends AbstractRedisClusterTests {

	LettuceRedisClusterTests() {
		super(Client.LETTUCE);
	}

}
