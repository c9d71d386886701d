package io.distlock.autoconfigure.redis;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;

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
	public Made make(String path, Store properties) {
		RedisLockStoreSettings own = LockRedis.settings(path, properties.redis(), this.settings);
		LockRedis redis = LockRedis.of(this.beans, path, properties.redis(), this.settings.commandTimeout(),
				this.environment);
		RedisStartupCheck check = new RedisStartupCheck(redis.factory(), own);
		return new Made(new RedisLockStore(redis.factory(), own),
				RedisChecks.of(check, path, properties.redis().startupCheck()), redis);
	}

}
