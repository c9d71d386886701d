package io.distlock.autoconfigure.redis;

import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.redlock.RedlockConnections;
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
	public Made make(String path, Store properties) {
		RedlockSettings own = RedlockNodes.settings(path, properties.redis(), properties.redlock(), this.settings);
		RedlockConnections connections = LockRedis.connections(RedlockNodes.parse(path, properties.redlock().nodes()),
				this.settings.commandTimeout(), this.environment, path, properties.redis());
		RedlockStartupCheck check = new RedlockStartupCheck(connections.nodes(), own);
		return new Made(new RedlockStore(connections.nodes(), own),
				RedisChecks.ofNodes(check, path, properties.redis().startupCheck()), connections);
	}

}
