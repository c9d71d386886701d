package io.distlock.redis;

import java.time.Duration;

import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ci")
class LettuceSentinelFailoverTests extends AbstractSentinelFailoverTests {

	@Override
	Way.Opened connect(RedisSentinel sentinel) {
		return Way.ofApplication(Client.LETTUCE.connect(sentinel));
	}

	/**
	 * No connection is closed; and Sentinel is slower than we are, so that the first new
	 * connection leads to the master that hangs.
	 */
	@Test
	void locksWorkAgainWhenMasterHangs() throws Exception {
		locksWorkAgain(RedisSentinel.builder().downAfter(Duration.ofSeconds(5)).start(), RedisServer::pause);
	}

}
