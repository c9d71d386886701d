package io.distlock.redlock;

class LettuceRedlockStoreTests extends AbstractRedlockStoreTests {

	LettuceRedlockStoreTests() {
		super(Client.LETTUCE);
	}

}
