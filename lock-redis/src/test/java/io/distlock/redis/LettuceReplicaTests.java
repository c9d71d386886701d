package io.distlock.redis;

class LettuceReplicaTests extends AbstractReplicaTests {

	LettuceReplicaTests() {
		super(Client.LETTUCE);
	}

}
