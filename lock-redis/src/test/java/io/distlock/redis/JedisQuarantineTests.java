package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisQuarantineTests extends AbstractQuarantineTests {

	JedisQuarantineTests() {
		super(Client.JEDIS);
	}

}
