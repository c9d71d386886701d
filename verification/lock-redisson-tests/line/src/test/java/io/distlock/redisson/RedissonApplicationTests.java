package io.distlock.redisson;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import org.junit.jupiter.api.Test;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.redis.RedisLockAutoConfiguration;
import io.distlock.output.LogLines;

import static org.assertj.core.api.Assertions.assertThat;

/** An application whose only connection factory is Redisson's. */
class RedissonApplicationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedisLockAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.command-timeout=10s");

	private ApplicationContextRunner on(RedissonServer redis) {
		return this.runner.withBean("redissonConnectionFactory", RedisConnectionFactory.class,
				() -> new RedissonConnectionFactory(redis.client()));
	}

	@Test
	void startsAndLocksWithoutAWarning() {
		try (RedissonServer redis = RedissonServer.start(); LogLines log = LogLines.of("io.distlock", Level.INFO)) {
			on(redis).run((context) -> {
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("stock")) {
					assertThat(lock.isHeld()).isTrue();
					assertThat(redis.server().command("EXISTS", "lk:stock")).isEqualTo("1");
				}
			});
			List<ILoggingEvent> events = log.events();
			assertThat(events).noneMatch((event) -> event.getLevel().isGreaterOrEqual(Level.WARN));
			assertThat(events).extracting(ILoggingEvent::getFormattedMessage)
				.anySatisfy(
						(line) -> assertThat(line).startsWith("RedissonConnectionFactory has no asynchronous commands")
							.contains("distributed-lock.redis.url"));
		}
	}

	@Test
	void refusesAServerThatMayEvictLocks() {
		try (RedissonServer redis = RedissonServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
			on(redis).run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageContaining("allkeys-lru"));
		}
	}

}
