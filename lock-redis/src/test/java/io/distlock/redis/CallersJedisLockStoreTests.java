package io.distlock.redis;

import java.time.Duration;

import io.distlock.spi.LockStore;
import io.distlock.test.CallingStore;
import io.distlock.test.LockStoreContract;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The contract, with callers that use connections of the locks' own. */
@Execution(ExecutionMode.SAME_THREAD) // for a pool of usual size
@Tag("ci")
class CallersJedisLockStoreTests extends LockStoreContract {

	private static JedisConnections connections;

	@BeforeAll
	static void start() {
		RedisServer server = SharedServers.standalone();
		connections = JedisConnections.like(
				new LettuceConnectionFactory(new RedisStandaloneConfiguration(server.host(), server.port())),
				Duration.ofSeconds(1), null);
	}

	@AfterAll
	static void stop() {
		connections.close();
	}

	@Override
	protected LockStore newStore() {
		return new CallingStore(new RedisLockStore(connections.factory(), SharedServers.PATIENT));
	}

}
