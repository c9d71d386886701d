package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class LettuceQuarantineTests extends AbstractQuarantineTests {

	LettuceQuarantineTests() {
		super(Client.LETTUCE);
	}

}
