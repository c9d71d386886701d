package io.distlock.autoconfigure.redis;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ListableBeanFactory;
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
import io.distlock.redis.RedisLockStore;

/** Auto-configuration of stores on Redis. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass({ RedisConnectionFactory.class, RedisLockStore.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(RedisLockProperties.class)
@RegisterReflectionForBinding(RedisLockProperties.class)
public final class RedisLockAutoConfiguration {

	@Bean
	LockStoreFactory redisLockStoreFactory(ListableBeanFactory beans, LockSettings settings, Environment environment,
			ObjectProvider<RedisLockStoreBuilderCustomizer> customizers) {
		return new RedisLockStoreFactory(beans, settings, environment, customizers);
	}

}
