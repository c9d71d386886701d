package io.distlock.redis;

class LettuceRedisFaultTests extends AbstractRedisFaultTests {

	LettuceRedisFaultTests() {
		super(Client.LETTUCE);
	}

}
