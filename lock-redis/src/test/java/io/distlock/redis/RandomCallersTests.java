package io.distlock.redis;

import io.distlock.output.Seeds;
import io.distlock.spi.LockStore;
import io.distlock.test.RandomCallersContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** With each client, and with callers that use Jedis themselves. */
class RandomCallersTests {

	/** A server. */
	private abstract static class OnServer extends RandomCallersContract {

		abstract RedisConnectionFactory factory();

		@Override
		protected LockStore newStore() {
			return new RedisLockStore(factory(), SharedServers.PATIENT);
		}

		@Override
		protected int sequences() {
			return Seeds.of("callers.sequences", 5, 200);
		}

	}

	@Nested
	class Lettuce extends OnServer {

		@Override
		RedisConnectionFactory factory() {
			return SharedServers.standalone(Client.LETTUCE);
		}

	}

	@Nested
	@Tag("ci")
	class Jedis extends OnServer {

		@Override
		RedisConnectionFactory factory() {
			return SharedServers.standalone(Client.JEDIS);
		}

	}

	@Nested
	@Tag("ci")
	class JedisOfCallers extends OnServer {

		private static CallersJedis factory;

		@BeforeAll
		static void start() {
			factory = CallersJedis.connect(SharedServers.standalone(), 16);
		}

		@AfterAll
		static void stop() {
			Client.close(factory);
		}

		@Override
		RedisConnectionFactory factory() {
			return factory;
		}

	}

}
