package io.distlock.reliability.rig;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Makes templates of their own connections, as an application has them. */
public final class WorkerLocks {

	private WorkerLocks() {
	}

	/** Connects a template to a server. */
	public static CloseableLockTemplate template(WorkerOptions options, RedisConnectionFactory factory) {
		RedisLockStoreSettings store = RedisLockStoreSettings.builder()
			.pollInterval(options.millis("poll"))
			.commandTimeout(options.millis("timeout"))
			.build();
		LockSettings settings = LockSettings.builder()
			.leaseTime(options.millis("lease"))
			.commandTimeout(options.millis("timeout"))
			.build();
		return LockTemplateBuilder.forStore(new RedisLockStore(factory, store)).settings(settings).build();
	}

	/** A factory of connections, started. */
	public static RedisConnectionFactory factory(WorkerOptions options, String host, int port) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(host, port);
		Duration timeout = Duration.ofMillis(Math.max(2000, options.number("timeout")));
		if ("jedis".equals(options.text("client"))) {
			JedisConnectionFactory factory = new JedisConnectionFactory(server,
					JedisClientConfiguration.builder().readTimeout(timeout).usePooling().build());
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}
		LettuceConnectionFactory factory = new LettuceConnectionFactory(server,
				LettuceClientConfiguration.builder().commandTimeout(timeout).shutdownTimeout(Duration.ZERO).build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/** Closes all connections. */
	public static void close(RedisConnectionFactory factory) {
		if (factory instanceof LettuceConnectionFactory lettuce) {
			lettuce.destroy();
		}
		else if (factory instanceof JedisConnectionFactory jedis) {
			jedis.destroy();
		}
	}

}
