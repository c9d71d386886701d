package io.distlock.autoconfigure.redis;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.StoreSettings;
import io.distlock.redis.RedisConnections;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStartupCheck;
import io.distlock.redlock.RedlockStore;

/**
 * Makes stores on a majority of masters.
 *
 * @param settings the settings of all stores
 * @param properties the properties of the default store
 * @param environment determines which client Spring Boot would choose
 * @param customizers change the settings of each store
 */
record RedlockStoreFactory(LockSettings settings, RedlockProperties properties, Environment environment,
		ObjectProvider<RedlockStoreBuilderCustomizer> customizers) implements LockStoreFactory {

	@Override
	public String type() {
		return "redlock";
	}

	/** Locks on one server would be taken for locks on a quorum. */
	@Override
	public boolean isReady() {
		return !this.properties.nodes().isEmpty();
	}

	@Override
	public CreatedStore create(Definition definition) {
		RedisLockProperties redis = definition.bind(RedisLockProperties.GROUP, RedisLockProperties.class);
		RedlockProperties redlock = definition.bind(RedlockProperties.GROUP, RedlockProperties.class);
		RedlockSettings own = settings(definition, redis, redlock);
		RedisConnections connections = new RedisClients(this.environment, definition.path(), redis.client(),
				own.commandTimeout(), own.connectTimeout())
			.connect(RedlockNodes.parse(definition.path(), redlock.nodes()));
		RedlockStartupCheck check = new RedlockStartupCheck(RedlockNode.of(connections), own);
		return new CreatedStore(new RedlockStore(RedlockNode.of(connections), own))
			.checkedBy(RedlockNodes.check(check, definition.path(), redis.startupCheck()))
			.closing(connections)
			.withQuarantine(definition.path() + "redlock.quarantine", own.quarantine());
	}

	private RedlockSettings settings(Definition definition, RedisLockProperties redis, RedlockProperties redlock) {
		Duration quarantine = redlock.quarantine();
		RedlockSettings.Builder builder = RedlockSettings.builder();
		return StoreSettings.of(definition.path() + "redlock.* and " + definition.path() + "redis.*",
				RedlockStoreBuilderCustomizer.class, () -> {
					builder.keyPrefix(redis.keyPrefix())
						.commandTimeout(this.settings.commandTimeout())
						.quarantine((quarantine != null) ? quarantine : this.settings.leaseTime());
					this.customizers.orderedStream().forEach((each) -> each.customize(definition.id(), builder));
					return builder.build();
				});
	}

}
