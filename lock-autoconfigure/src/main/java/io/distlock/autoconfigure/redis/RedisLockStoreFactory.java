package io.distlock.autoconfigure.redis;

import java.time.Duration;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.support.DurationText;

/**
 * Makes stores on one Redis, Sentinel or Cluster.
 *
 * @param beans has the connection factories of the application
 * @param settings what all stores share
 * @param environment says which client Spring Boot would choose
 */
record RedisLockStoreFactory(ListableBeanFactory beans, LockSettings settings,
		Environment environment) implements LockStoreFactory {

	@Override
	public StoreType type() {
		return StoreType.REDIS;
	}

	@Override
	public CreatedStore create(String path, Store properties) {
		RedisLockStoreSettings own = settings(path, properties.redis(), this.settings);
		LockRedis redis = new RedisChoice(this.beans, this.environment, path, properties.redis(),
				this.settings.commandTimeout())
			.choose();
		RedisStartupCheck check = new RedisStartupCheck(redis.factory(), own);
		return new CreatedStore(new RedisLockStore(redis.factory(), own),
				RedisChecks.of(check, path, properties.redis().startupCheck()), redis);
	}

	static RedisLockStoreSettings settings(String path, LockProperties.Redis properties, LockSettings settings) {
		Integer required = properties.replicas().required();
		Duration timeout = properties.replicas().timeout();
		if (timeout != null && timeout.compareTo(settings.commandTimeout()) > 0) {
			throw new LockConfigurationException(
					"The property " + path + "redis.replicas.timeout is " + DurationText.of(timeout)
							+ " but must be at most the command timeout, which is "
							+ DurationText.of(settings.commandTimeout()) + ".",
					"Lower it, or raise distributed-lock.command-timeout.");
		}
		RedisLockStoreSettings.Builder store = RedisLockStoreSettings.builder()
			.keyPrefix(properties.keyPrefix())
			.commandTimeout(settings.commandTimeout())
			.pollInterval(properties.pollInterval())
			.connectTimeout(properties.connectTimeout())
			.quarantine(properties.quarantine())
			.failoverDelay(properties.failoverDelay())
			.replicas((required != null) ? required : 0);
		if (timeout != null) {
			store.replicaTimeout(timeout);
		}
		return store.build();
	}

}
