package io.distlock.redlock;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisRedlockTemplateTests extends AbstractRedlockTemplateTests {

	JedisRedlockTemplateTests() {
		super(Client.JEDIS);
	}

}
