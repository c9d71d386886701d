package io.distlock.autoconfigure.redis;

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
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.spi.LockStore;

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
@EnableConfigurationProperties(LockProperties.class)
public final class RedisLockAutoConfiguration {

	@Bean
	@ConditionalOnLockStore(StoreType.REDIS)
	@ConditionalOnMissingBean
	RedisLockStoreSettings redisLockStoreSettings(LockProperties properties, LockSettings settings) {
		return RedisLockStoreFactory.settings(LockStoreFactory.DEFAULT_PATH, properties.redis(), settings);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnLockStore(StoreType.REDIS)
	@ConditionalOnMissingBean({ LockStore.class, LockRedis.class })
	LockRedis lockRedis(ListableBeanFactory beans, LockProperties properties, LockSettings settings,
			Environment environment) {
		return new RedisChoice(beans, environment, LockStoreFactory.DEFAULT_PATH, properties.redis(),
				settings.commandTimeout())
			.choose();
	}

	@Bean
	@ConditionalOnLockStore(StoreType.REDIS)
	@ConditionalOnMissingBean(LockStore.class)
	RedisLockStore redisLockStore(LockRedis redis, RedisLockStoreSettings settings) {
		return new RedisLockStore(redis.factory(), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.REDIS)
	@ConditionalOnMissingBean
	@ConditionalOnBean({ RedisLockStore.class, LockRedis.class })
	RedisStartupCheck redisLockStartupCheck(LockRedis redis, RedisLockStoreSettings settings) {
		return new RedisStartupCheck(redis.factory(), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.REDIS)
	@ConditionalOnBean(RedisStartupCheck.class)
	StoreCheck redisLockStartupCheckRunner(RedisStartupCheck check, LockProperties properties) {
		return RedisChecks.of(check, LockStoreFactory.DEFAULT_PATH, properties.redis().startupCheck());
	}

	/** For {@code distributed-lock.stores}. */
	@Bean
	LockStoreFactory redisLockStoreFactory(ListableBeanFactory beans, LockSettings settings, Environment environment) {
		return new RedisLockStoreFactory(beans, settings, environment);
	}

}
