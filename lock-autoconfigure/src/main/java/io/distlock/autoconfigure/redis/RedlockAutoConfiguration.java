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
import io.distlock.redlock.RedlockConnections;
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
@ConditionalOnLockStore(StoreType.REDLOCK)
@EnableConfigurationProperties(LockProperties.class)
public final class RedlockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RedlockSettings redlockSettings(LockProperties properties, LockSettings settings) {
		return RedlockNodes.settings(LockStoreFactory.DEFAULT_PATH, properties.redis(), properties.redlock(), settings);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean({ LockStore.class, RedlockConnections.class })
	RedlockConnections redlockConnections(LockProperties properties, RedlockSettings settings,
			Environment environment) {
		return new RedisClients(environment, LockStoreFactory.DEFAULT_PATH, properties.redis(),
				settings.commandTimeout())
			.connect(RedlockNodes.parse(LockStoreFactory.DEFAULT_PATH, properties.redlock().nodes()));
	}

	@Bean
	@ConditionalOnMissingBean(LockStore.class)
	RedlockStore redlockStore(RedlockConnections connections, RedlockSettings settings) {
		return new RedlockStore(connections.nodes(), settings);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean({ RedlockStore.class, RedlockConnections.class })
	RedlockStartupCheck redlockStartupCheck(RedlockConnections connections, RedlockSettings settings) {
		return new RedlockStartupCheck(connections.nodes(), settings);
	}

	@Bean
	@ConditionalOnBean(RedlockStartupCheck.class)
	StoreCheck redlockStartupCheckRunner(RedlockStartupCheck check, LockProperties properties) {
		return RedisChecks.ofNodes(check, LockStoreFactory.DEFAULT_PATH, properties.redis().startupCheck());
	}

}
