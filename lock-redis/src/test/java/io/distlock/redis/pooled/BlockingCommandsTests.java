package io.distlock.redis.pooled;

import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** How commands that callers send themselves fail, without a server. */
class BlockingCommandsTests {

	private static final Duration HALF = Duration.ofMillis(500);

	private static Throwable failure(boolean interrupted) throws Exception {
		return TestThreads.get(TestThreads.inThread(() -> {
			AtomicReference<Throwable> failure = new AtomicReference<>();
			BlockingCommands commands = new BlockingCommands(new Lost(),
					new ClientSettings(HALF.multipliedBy(2), Duration.ZERO));
			RedisCommands own = commands.by((task) -> {
				task.run();
				return true;
			});
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			own.evalSha(LockScript.ACQUIRE, ScriptArguments.of(List.of("key"), List.of("key")),
					(reply, why) -> failure.set(why));
			assertThat(Thread.interrupted()).isEqualTo(interrupted);
			commands.close();
			return failure.get();
		}));
	}

	/** The interrupt of a virtual thread closes the socket: the server is not away. */
	@Test
	void commandWhenTheInterruptOfItsCallerClosesTheConnectionThenFailsWithTheInterrupt() throws Exception {
		assertThat(failure(true)).isInstanceOf(TransientStoreException.class)
			.hasMessageContaining("interrupted")
			.hasCauseInstanceOf(InterruptedException.class)
			.hasRootCauseMessage("Closed by interrupt");
	}

	@Test
	void commandWhenTheConnectionIsLostThenFailsWithWhatTheClientThrew() throws Exception {
		assertThat(failure(false)).isInstanceOf(JedisConnectionException.class);
	}

	private static final class Lost extends JedisConnectionFactory {

		Lost() {
			super(new RedisStandaloneConfiguration(),
					JedisClientConfiguration.builder().connectTimeout(HALF).readTimeout(HALF).usePooling().build());
			getPoolConfig().setMaxWait(HALF);
		}

		@Override
		public RedisConnection getConnection() {
			throw new JedisConnectionException(new SocketException("Closed by interrupt"));
		}

	}

}
