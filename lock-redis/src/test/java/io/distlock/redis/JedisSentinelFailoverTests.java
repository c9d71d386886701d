package io.distlock.redis;

import io.distlock.test.redis.RedisSentinel;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisSentinelFailoverTests extends AbstractSentinelFailoverTests {

	@Override
	Way.Opened connect(RedisSentinel sentinel) {
		return Way.ofApplication(Client.JEDIS.connect(sentinel));
	}

}
