package io.distlock.redlock;

class LettuceRedlockTemplateTests extends AbstractRedlockTemplateTests {

	LettuceRedlockTemplateTests() {
		super(Client.LETTUCE);
	}

}
