package io.distlock.autoconfigure.redis;

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
import io.distlock.redis.RedisConnections;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStartupCheck;
import io.distlock.redlock.RedlockStore;
import io.distlock.spi.LockStore;

/**
 * Auto-configuration of the Redlock store, on separate connections: it does not use the
 * application's connection factory.
 */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass({ RedisConnectionFactory.class, RedlockStore.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(LockProperties.class)
public final class RedlockAutoConfiguration {

	@Bean
	@ConditionalOnLockStore(StoreType.REDLOCK)
	@ConditionalOnMissingBean
	RedlockSettings redlockSettings(LockProperties properties, LockSettings settings) {
		return RedlockNodes.settings(LockStoreFactory.DEFAULT_PATH, properties.redis(), properties.redlock(), settings);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnLockStore(StoreType.REDLOCK)
	@ConditionalOnMissingBean({ LockStore.class, RedisConnections.class })
	RedisConnections redlockConnections(LockProperties properties, RedlockSettings settings, Environment environment) {
		return new RedisClients(environment, LockStoreFactory.DEFAULT_PATH, properties.redis(),
				settings.commandTimeout())
			.connect(RedlockNodes.parse(LockStoreFactory.DEFAULT_PATH, properties.redlock().nodes()));
	}

	@Bean
	@ConditionalOnLockStore(StoreType.REDLOCK)
	@ConditionalOnMissingBean(LockStore.class)
	RedlockStore redlockStore(RedisConnections connections, RedlockSettings settings) {
		return new RedlockStore(RedlockNode.of(connections), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.REDLOCK)
	@ConditionalOnMissingBean
	@ConditionalOnBean({ RedlockStore.class, RedisConnections.class })
	RedlockStartupCheck redlockStartupCheck(RedisConnections connections, RedlockSettings settings) {
		return new RedlockStartupCheck(RedlockNode.of(connections), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.REDLOCK)
	@ConditionalOnBean(RedlockStartupCheck.class)
	StoreCheck redlockStartupCheckRunner(RedlockStartupCheck check, LockProperties properties) {
		return RedlockNodes.check(check, LockStoreFactory.DEFAULT_PATH, properties.redis().startupCheck());
	}

	/** For {@code distributed-lock.stores}. */
	@Bean
	LockStoreFactory redlockStoreFactory(LockSettings settings, Environment environment) {
		return new RedlockStoreFactory(settings, environment);
	}

}
