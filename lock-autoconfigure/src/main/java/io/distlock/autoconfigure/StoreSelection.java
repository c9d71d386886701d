package io.distlock.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;

import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.spi.LockStore;

/** Chooses the one store, and never the first of several. */
final class StoreSelection {

	private final ListableBeanFactory beanFactory;

	StoreSelection(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	LockStore select(@Nullable StoreType wanted) {
		LockStore unique = this.beanFactory.getBeanProvider(LockStore.class).getIfUnique();
		if (unique != null) {
			return unique;
		}
		String[] names = this.beanFactory.getBeanNamesForType(LockStore.class);
		if (names.length > 1) {
			throw new LockConfigurationException(
					"There are " + names.length + " LockStore beans and none is primary: " + String.join(", ", names)
							+ ".",
					"Remove all but one, or mark the one to use with @Primary. Locks in different stores do not "
							+ "exclude each other.");
		}
		throw none(wanted);
	}

	private static LockConfigurationException none(@Nullable StoreType wanted) {
		if (wanted == StoreType.REDLOCK) {
			return new LockConfigurationException(
					"distributed-lock.store is redlock, but lock-redis or Spring Data Redis is not on the class path.",
					"Add lock-redis and spring-boot-starter-data-redis.");
		}
		return new LockConfigurationException(
				(wanted == StoreType.REDIS)
						? "distributed-lock.store is redis, but there is no RedisConnectionFactory bean."
						: "There is no store to keep locks in: no RedisConnectionFactory bean and no LockStore bean.",
				"Add spring-boot-starter-data-redis and lock-redis and set spring.data.redis.*, or declare a "
						+ "LockStore bean. For an application that runs once, or a test, set "
						+ "distributed-lock.store=memory.");
	}

}
