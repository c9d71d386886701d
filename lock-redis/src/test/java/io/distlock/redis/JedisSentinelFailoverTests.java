package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisSentinelFailoverTests extends AbstractSentinelFailoverTests {

	JedisSentinelFailoverTests() {
		super(Client.JEDIS);
	}

}
