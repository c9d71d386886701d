package io.distlock.redis;

class LettuceQuarantineTests extends AbstractQuarantineTests {

	LettuceQuarantineTests() {
		super(Client.LETTUCE);
	}

}
