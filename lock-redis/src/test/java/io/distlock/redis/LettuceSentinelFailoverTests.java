package io.distlock.redis;

class LettuceSentinelFailoverTests extends AbstractSentinelFailoverTests {

	LettuceSentinelFailoverTests() {
		super(Client.LETTUCE);
	}

}
