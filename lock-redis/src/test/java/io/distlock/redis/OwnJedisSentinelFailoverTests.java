package io.distlock.redis;

import io.distlock.test.redis.RedisSentinel;
import org.junit.jupiter.api.Tag;

/** On a pool that only locks use. */
@Tag("ci")
class OwnJedisSentinelFailoverTests extends AbstractSentinelFailoverTests {

	@Override
	Way.Opened connect(RedisSentinel sentinel) {
		return Way.ownJedis(Client.of(sentinel));
	}

}
