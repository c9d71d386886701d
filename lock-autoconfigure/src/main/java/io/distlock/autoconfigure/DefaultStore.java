package io.distlock.autoconfigure;

import java.util.Optional;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.distlock.spi.LockStore;

/** Finds the only {@link LockStore} bean, and never picks the first of several. */
final class DefaultStore {

	/** Name of the bean that the properties describe. */
	static final String CONFIGURED = "configuredLockStore";

	private final ConfigurableListableBeanFactory beans;

	DefaultStore(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	LockStore require() {
		LockStore unique = this.beans.getBeanProvider(LockStore.class).getIfUnique();
		if (unique == null) {
			String[] names = this.beans.getBeanNamesForType(LockStore.class);
			throw new LockConfigurationException(
					"There are " + names.length + " LockStore beans and none is primary: " + String.join(", ", names)
							+ ".",
					"Remove all but one, or mark the one to use with @Primary. Locks in different stores do not "
							+ "exclude each other.");
		}
		return unique;
	}

	/**
	 * Finds the store without creating it, because an application that declares a
	 * template may need no store.
	 */
	Optional<LockStore> find() {
		boolean isUnused = this.beans.containsBeanDefinition(CONFIGURED) && !this.beans.containsSingleton(CONFIGURED);
		return isUnused ? Optional.empty() : this.beans.getBeanProvider(LockStore.class).stream().findFirst();
	}

}
