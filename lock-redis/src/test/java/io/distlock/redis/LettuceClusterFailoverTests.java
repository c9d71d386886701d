package io.distlock.redis;

import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ci")
class LettuceClusterFailoverTests extends AbstractClusterFailoverTests {

	LettuceClusterFailoverTests() {
		super(Client.LETTUCE);
	}

	/** No connection is closed, so that only its refreshing tells the client. */
	@Test
	void locksWorkAgainWhenMasterHangsAndOthersAllTheTime() throws Exception {
		locksWorkAgainAndOthersAllTheTime(RedisServer::pause);
	}

}
