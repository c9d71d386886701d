package io.distlock.redis;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class LettuceReplicaTests extends AbstractReplicaTests {

	LettuceReplicaTests() {
		super(Client.LETTUCE);
	}

}
