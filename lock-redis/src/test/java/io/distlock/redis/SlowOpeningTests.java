package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Each new connection answers late, for instance because the login is slow. It is used
 * nevertheless; while it opens, calls fail.
 */
@Execution(ExecutionMode.CONCURRENT)
class SlowOpeningTests {

	private static final RedisServer SERVER = SharedServers.standalone();

	/** For a busy machine; the connections before were thrown away for ever. */
	private static final Duration LONG = Duration.ofSeconds(90);

	@ParameterizedTest
	@CsvSource({ "LETTUCE, 4", "LETTUCE, 7", "JEDIS, 4", "JEDIS, 7" })
	void acquireWhenConnectionsOpenSlowlyThenWorksAtStartAndAfterTheyBreak(Client client, int seconds)
			throws Exception {
		try (Pipe pipe = new Pipe(SERVER); Connections connections = Connections.of(client, pipe)) {
			pipe.delayNew(Duration.ofSeconds(seconds));
			try (CloseableLockTemplate template = LockTemplateBuilder
				.forStore(new RedisLockStore(connections.factory()))
				.build()) {
				works(template);
				pipe.cut();
				works(template);
			}
		}
	}

	private static void works(CloseableLockTemplate template) {
		LockRequest request = LockRequest.of("slow:" + UUID.randomUUID());
		await().atMost(LONG).ignoreExceptionsInstanceOf(LockStoreException.class).untilAsserted(() -> {
			template.acquire(request).close();
			try (LockHandle again = template.acquire(request)) {
				assertThat(again.isHeld()).isTrue();
			}
		});
	}

	/** The connections that the product uses with the client. */
	private record Connections(RedisConnectionFactory factory, Runnable closer) implements AutoCloseable {

		static Connections of(Client client, Pipe pipe) {
			RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(pipe.host(), pipe.port());
			if (client == Client.LETTUCE) {
				RedisConnectionFactory factory = client.connect(server);
				return new Connections(factory, () -> Client.close(factory));
			}
			JedisConnections own = JedisConnections.like(new LettuceConnectionFactory(server), Duration.ofSeconds(1),
					null);
			return new Connections(own.factory(), own::close);
		}

		@Override
		public void close() {
			this.closer.run();
		}

	}

}
