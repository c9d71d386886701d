package io.distlock.autoconfigure.redis;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.StoreSettings;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;

/**
 * Makes stores on one Redis, Sentinel or Cluster.
 *
 * @param beans has the connection factories of the application
 * @param settings the settings of all stores
 * @param environment determines which client Spring Boot would choose
 * @param customizers change the settings of each store
 */
record RedisLockStoreFactory(ListableBeanFactory beans, LockSettings settings, Environment environment,
		ObjectProvider<RedisLockStoreBuilderCustomizer> customizers) implements LockStoreFactory {

	@Override
	public String type() {
		return "redis";
	}

	@Override
	public boolean isReady() {
		return this.environment.containsProperty("distributed-lock.redis.url") || BeanFactoryUtils
			.beanNamesForTypeIncludingAncestors(this.beans, RedisConnectionFactory.class, true, false).length > 0;
	}

	@Override
	public String missing() {
		return "no RedisConnectionFactory bean and no distributed-lock.redis.url";
	}

	@Override
	public CreatedStore create(Definition definition) {
		RedisLockProperties properties = definition.bind(RedisLockProperties.GROUP, RedisLockProperties.class);
		RedisLockStoreSettings own = settings(definition, properties);
		LockRedis redis = new RedisChoice(this.beans, this.environment, definition, properties, own).choose();
		RedisStartupCheck check = new RedisStartupCheck(redis.factory(), own);
		boolean failover = !own.failoverDelay().isZero();
		boolean delayed = failover && own.failoverDelay().compareTo(own.quarantine()) > 0;
		return new CreatedStore(new RedisLockStore(redis.factory(), own))
			.checkedBy(RedisChecks.of(check, definition.path(), properties.startupCheck()))
			.closing(redis)
			.withQuarantine(definition.path() + (failover ? "redis.failover-delay" : "redis.quarantine"),
					delayed ? own.failoverDelay() : own.quarantine());
	}

	private RedisLockStoreSettings settings(Definition definition, RedisLockProperties properties) {
		RedisLockStoreSettings.Builder builder = RedisLockStoreSettings.builder();
		return StoreSettings.of(definition.path() + "redis.*", RedisLockStoreBuilderCustomizer.class, () -> {
			builder.keyPrefix(properties.keyPrefix())
				.commandTimeout(this.settings.commandTimeout())
				.quarantine(properties.quarantine())
				.failoverDelay(properties.failoverDelay());
			this.customizers.orderedStream().forEach((each) -> each.customize(definition.id(), builder));
			return builder.build();
		});
	}

}
