package io.distlock.autoconfigure.redis;

import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.redis.RedisConnections;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStartupCheck;
import io.distlock.redlock.RedlockStore;

/**
 * Makes stores on a majority of masters.
 *
 * @param settings what all stores share
 * @param environment says which client Spring Boot would choose
 */
record RedlockStoreFactory(LockSettings settings, Environment environment) implements LockStoreFactory {

	@Override
	public StoreType type() {
		return StoreType.REDLOCK;
	}

	@Override
	public CreatedStore create(String path, Store properties) {
		RedlockSettings own = RedlockNodes.settings(path, properties.redis(), properties.redlock(), this.settings);
		RedisConnections connections = new RedisClients(this.environment, path, properties.redis(),
				this.settings.commandTimeout())
			.connect(RedlockNodes.parse(path, properties.redlock().nodes()));
		RedlockStartupCheck check = new RedlockStartupCheck(RedlockNode.of(connections), own);
		return new CreatedStore(new RedlockStore(RedlockNode.of(connections), own),
				RedlockNodes.check(check, path, properties.redis().startupCheck()), connections);
	}

}
