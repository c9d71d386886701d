package io.distlock.redlock;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class LettuceRedlockTemplateTests extends AbstractRedlockTemplateTests {

	LettuceRedlockTemplateTests() {
		super(Client.LETTUCE);
	}

}
