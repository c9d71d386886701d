package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.StoreUnderTest;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.FinishResult;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Lettuce has lost its connection, and does not reconnect soon. */
class LostConnectionTests {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/** By default it becomes as long as half a minute. */
	@Test
	void storeWhenClientTakesMinutesToReconnectThenConnectsAnewByItself() throws Exception {
		ClientResources resources = ClientResources.builder()
			.reconnectDelay(Delay.constant(Duration.ofMinutes(10)))
			.build();
		try (RedisServer server = RedisServer.start()) {
			LettuceConnectionFactory factory = connect(server, resources);
			try (StoreUnderTest store = new StoreUnderTest(factory,
					RedisLockStoreSettings.builder().commandTimeout(TIMEOUT).build())) {
				patiently().ignoreExceptions().until(() -> store.acquired("stock", 1) != null);
				awaitSubscription(server, store);
				server.command("CLIENT", "KILL", "TYPE", "normal");
				server.command("CLIENT", "KILL", "TYPE", "pubsub");
				patiently().ignoreExceptions().until(() -> store.finish("stock", 1) == FinishResult.RELEASED);
				awaitSubscription(server, store);
			}
			finally {
				factory.destroy();
			}
		}
		finally {
			resources.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

	@Test
	void commandsWhenServerRefusesConnectionsThenAttemptsAreFew() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		LettuceCommands commands = new LettuceCommands(() -> {
			attempts.incrementAndGet();
			throw new RedisConnectionException("refused");
		}, () -> "Redis", Runnable::run, new ClientSettings(TIMEOUT, Duration.ZERO), () -> {
		}, () -> {
		});
		long begun = System.nanoTime();
		for (int i = 0; i < 10_000; i++) {
			assertThat(failureOfCommand(commands)).hasMessageContaining("refused");
		}
		long pauses = (System.nanoTime() - begun) / TIMEOUT.dividedBy(10).toNanos();
		assertThat(attempts.get()).isBetween(1, 1 + (int) pauses);
		int before = attempts.get();
		patiently().until(() -> {
			failureOfCommand(commands);
			return attempts.get() > before;
		});
	}

	private static Throwable failureOfCommand(LettuceCommands commands) throws Exception {
		CompletableFuture<List<Object>> answered = new CompletableFuture<>();
		commands.evalSha(LockScript.INSPECT, ScriptArguments.of(List.of("key"), List.of()), (reply, failure) -> {
			if (failure != null) {
				answered.completeExceptionally(failure);
			}
			else {
				answered.complete(reply);
			}
		});
		return failure(answered);
	}

	private static LettuceConnectionFactory connect(RedisServer server, ClientResources resources) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(server.host(), server.port()),
				LettuceClientConfiguration.builder()
					.clientResources(resources)
					.commandTimeout(Duration.ofSeconds(2))
					.shutdownTimeout(Duration.ZERO)
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static void awaitSubscription(RedisServer server, StoreUnderTest store) {
		patiently()
			.until(() -> server.command("PUBSUB", "CHANNELS", "*").contains(StoreUnderTest.channel(store.instance)));
	}

	private static ConditionFactory patiently() {
		return await().atMost(Duration.ofSeconds(30));
	}

	private static Throwable failure(CompletableFuture<?> answer) throws Exception {
		try {
			answer.get(10, TimeUnit.SECONDS);
			throw new AssertionError("answered");
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
	}

}
