package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.operations.LockOperations;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisServer;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets allocations of calling threads fail while their locks are on a real server. All
 * calls share the engines, and each has keys of its own.
 */
final class RedisFailingAllocations extends FailingAllocations {

	/** For a machine that stalls. */
	private static final LockSettings SETTINGS = LockSettings.builder()
		.leaseTime(Duration.ofSeconds(30))
		.commandTimeout(Duration.ofSeconds(10))
		.waitTime(Duration.ZERO)
		.build();

	/** Much longer than what nobody renews can last. */
	private static final Duration LONG = Duration.ofMinutes(3);

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	/** Called by the test, through another class loader. */
	void failEach(String client) {
		try (RedisServer server = RedisServer.start()) {
			RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(server.host(), server.port());
			RedisConnectionFactory factory = switch (Client.valueOf(client)) {
				case LETTUCE -> started(new LettuceConnectionFactory(configuration));
				case JEDIS -> started(new JedisConnectionFactory(configuration));
			};
			for (String prefix : List.of("first:", "first:", "next:", "next:")) {
				RedisLockStoreSettings settings = RedisLockStoreSettings.builder()
					.commandTimeout(SETTINGS.commandTimeout())
					.keyPrefix(prefix)
					.build();
				this.templates.add(
						LockTemplateBuilder.forStore(new RedisLockStore(factory, settings)).settings(SETTINGS).build());
			}
			failEach(List.of(FailingAllocation.values()));
			assertThat(Pause.atMost(LONG, () -> this.templates.stream().allMatch(CloseableLockTemplate::isIdle)))
				.as("idle")
				.isTrue();
			this.templates.forEach(CloseableLockTemplate::close);
			((SmartLifecycle) factory).stop();
		}
	}

	private static <T extends InitializingBean & SmartLifecycle> T started(T factory) {
		try {
			factory.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		factory.start();
		return factory;
	}

	@Override
	World newWorld(FailingAllocation call, int number) {
		return new World(new Server(this.templates.get(0), this.templates.get(1)),
				new Server(this.templates.get(2), this.templates.get(3)), call + ":" + number);
	}

	/** A lock that only the store still knows ends with its lease. */
	@Override
	void passLeases(List<World> worlds) {
		Pause.atMost(LONG, () -> worlds.stream().allMatch(World::isOver));
		Pause.of(SETTINGS.leaseTime());
	}

	/**
	 * Two processes on one server.
	 *
	 * @param here the one whose calls fail
	 * @param elsewhere the other one
	 */
	private record Server(CloseableLockTemplate here, LockTemplate elsewhere) implements Engines {

		@Override
		public void settle(CompletionStage<?> stage) {
			Pause.atMost(SETTINGS.commandTimeout(), stage.toCompletableFuture()::isDone);
		}

		@Override
		public boolean keeps(List<String> keys) {
			LockOperations operations = ((LockOperations.Provider) this.here).operations();
			return Stream
				.concat(operations.heldHere().stream().map((held) -> held.key()),
						operations.waitingHere().stream().map((waiting) -> waiting.key()))
				.anyMatch(keys::contains);
		}

	}

	enum Client {

		LETTUCE, JEDIS

	}

}
