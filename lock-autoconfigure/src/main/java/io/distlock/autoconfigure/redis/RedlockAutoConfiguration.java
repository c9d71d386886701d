package io.distlock.autoconfigure.redis;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.redlock.RedlockStore;

/**
 * Auto-configuration of stores on Redlock. They use separate connections, and not the
 * application's connection factory.
 */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass({ RedisConnectionFactory.class, RedlockStore.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties({ RedisLockProperties.class, RedlockProperties.class })
@RegisterReflectionForBinding(RedlockProperties.class)
public final class RedlockAutoConfiguration {

	@Bean
	LockStoreFactory redlockStoreFactory(LockSettings settings, RedlockProperties properties, Environment environment,
			ObjectProvider<RedlockStoreBuilderCustomizer> customizers) {
		return new RedlockStoreFactory(settings, properties, environment, customizers);
	}

}
