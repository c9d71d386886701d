package io.distlock.autoconfigure.redis;

import java.time.Duration;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConditionalOnLockStore;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.spi.LockStore;
import io.distlock.support.DurationText;

/**
 * Auto-configuration of the Redis store. The auto-configuration of the connection factory
 * has one name in Spring Boot 3 and another in 4; the one that is absent is ignored.
 */
@AutoConfiguration(before = LockAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration" })
@ConditionalOnClass({ RedisConnectionFactory.class, RedisLockStore.class })
@ConditionalOnDistributedLockEnabled
@ConditionalOnLockStore(StoreType.REDIS)
@EnableConfigurationProperties(LockProperties.class)
public final class RedisLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RedisLockStoreSettings redisLockStoreSettings(LockProperties properties, LockSettings settings) {
		Integer required = properties.redis().replicas().required();
		Duration timeout = properties.redis().replicas().timeout();
		if (timeout != null && timeout.compareTo(settings.commandTimeout()) > 0) {
			throw new LockConfigurationException(
					"The property distributed-lock.redis.replicas.timeout is " + DurationText.of(timeout)
							+ " but must be at most the command timeout, which is "
							+ DurationText.of(settings.commandTimeout()) + ".",
					"Lower it, or raise distributed-lock.command-timeout.");
		}
		RedisLockStoreSettings.Builder store = RedisLockStoreSettings.builder()
			.prefix(properties.redis().keyPrefix())
			.commandTimeout(settings.commandTimeout())
			.pollInterval(properties.redis().pollInterval())
			.connectTimeout(properties.redis().connectTimeout())
			.quarantine(properties.redis().quarantine())
			.failoverDelay(properties.redis().failoverDelay())
			.replicas((required != null) ? required : 0);
		if (timeout != null) {
			store.replicaTimeout(timeout);
		}
		return store.build();
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean({ LockStore.class, LockRedis.class })
	LockRedis lockRedis(ListableBeanFactory beans, LockProperties properties, LockSettings settings,
			Environment environment) {
		return LockRedis.of(beans, "distributed-lock.", properties.redis(), settings.commandTimeout(), environment);
	}

	@Bean
	@ConditionalOnMissingBean(LockStore.class)
	RedisLockStore redisLockStore(LockRedis redis, RedisLockStoreSettings settings) {
		return new RedisLockStore(redis.factory(), settings);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean({ RedisLockStore.class, LockRedis.class })
	RedisStartupCheck redisLockStartupCheck(LockRedis redis, RedisLockStoreSettings settings) {
		return new RedisStartupCheck(redis.factory(), settings);
	}

	@Bean
	@ConditionalOnBean(RedisStartupCheck.class)
	StoreCheck redisLockStartupCheckRunner(RedisStartupCheck check, LockProperties properties) {
		return RedisChecks.of(check::run, properties.redis().startupCheck());
	}

}
