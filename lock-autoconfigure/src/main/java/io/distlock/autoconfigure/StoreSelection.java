package io.distlock.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.spi.LockStore;

/** Chooses the one store, and never the first of several. */
final class StoreSelection {

	private static final Logger logger = LoggerFactory.getLogger(StoreSelection.class);

	private static final String ADD_STORE = "Add "
			+ Arrays.stream(StoreModule.values()).map(StoreModule::starter).collect(Collectors.joining(", or "))
			+ ", or declare a LockStore bean. For an application that runs once, or a test, set distributed-lock.store=memory.";

	private final ListableBeanFactory beanFactory;

	private final Environment environment;

	StoreSelection(ListableBeanFactory beanFactory, Environment environment) {
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	LockStore select(LockProperties properties) {
		StoreType wanted = properties.store();
		String[] names = this.beanFactory.getBeanNamesForType(LockStore.class);
		if (!properties.redlock().nodes().isEmpty()) {
			checkQuorum(wanted, names);
		}
		LockStore unique = this.beanFactory.getBeanProvider(LockStore.class).getIfUnique();
		if (unique != null) {
			return unique;
		}
		if (names.length > 1) {
			throw new LockConfigurationException(
					"There are " + names.length + " LockStore beans and none is primary: " + String.join(", ", names)
							+ ".",
					"Remove all but one, or mark the one to use with @Primary. Locks in different stores do not "
							+ "exclude each other.");
		}
		throw none(wanted);
	}

	/**
	 * The nodes make one believe in a quorum, which a store of the application may be.
	 */
	private void checkQuorum(@Nullable StoreType wanted, String[] names) {
		if (isOwn(names)) {
			logger.warn("The LockStore bean of the application keeps the locks: distributed-lock.redlock.nodes has no "
					+ "effect unless that bean uses it");
		}
		else if (wanted == null) {
			throw new LockConfigurationException(
					"The property distributed-lock.redlock.nodes has no effect: distributed-lock.store is not set.",
					"Set distributed-lock.store=redlock, the same in all applications that share locks, or name "
							+ "another store there, or remove the nodes.");
		}
	}

	private boolean isOwn(String[] names) {
		return names.length > 0 && Arrays.stream(names)
			.noneMatch((name) -> this.beanFactory.findAnnotationOnBean(name, ConditionalOnLockStore.class) != null);
	}

	private LockConfigurationException none(@Nullable StoreType wanted) {
		if (wanted == null) {
			List<StoreModule> possible = StoreModule.possible(this.beanFactory, this.environment);
			return (possible.size() > 1) ? several(possible) : new LockConfigurationException(
					"There is no store to keep locks in: no LockStore bean" + missing() + ".", ADD_STORE);
		}
		if (wanted == StoreType.REDLOCK) {
			return new LockConfigurationException(
					"distributed-lock.store is redlock, but lock-redlock or Spring Data Redis is not on the class path.",
					"Add lock-redlock and spring-boot-starter-data-redis.");
		}
		StoreModule module = StoreModule.of(wanted);
		String store = "distributed-lock.store is " + wanted.name().toLowerCase(Locale.ROOT) + ", but ";
		if (module == null) {
			return new LockConfigurationException(store + "there is no such store.", ADD_STORE);
		}
		boolean present = StoreModule.present(this.beanFactory).contains(module);
		return new LockConfigurationException(
				store + (present ? "there is " + module.needs() : module + " or what it needs is not on the class path")
						+ ".",
				"Add " + module.starter() + ", or set distributed-lock.store to another store.");
	}

	private static LockConfigurationException several(List<StoreModule> possible) {
		String modules = possible.stream().map(StoreModule::toString).collect(Collectors.joining(" and "));
		String values = possible.stream()
			.map((module) -> "distributed-lock.store=" + module.type().name().toLowerCase(Locale.ROOT))
			.collect(Collectors.joining(" or "));
		return new LockConfigurationException(
				modules + " could keep locks, and locks in different stores do not exclude each other.",
				"Set " + values + ", the same in all applications that share locks; or remove the "
						+ "modules that are not to keep them.");
	}

	private String missing() {
		return StoreModule.present(this.beanFactory)
			.stream()
			.map((module) -> ", for " + module + " " + module.needs())
			.collect(Collectors.joining());
	}

}
