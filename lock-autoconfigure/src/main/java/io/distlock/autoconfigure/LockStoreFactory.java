package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

import io.distlock.spi.LockStore;

/**
 * Makes stores of one type: the default one, and those of
 * {@code distributed-lock.stores}. A module with a store declares a bean of this type;
 * its type is then a value of {@code distributed-lock.store} and of
 * {@code distributed-lock.stores.<id>.type}.
 */
public interface LockStoreFactory {

	/**
	 * Returns the type of its stores.
	 * @return what properties name it by, in lower case
	 */
	String type();

	/**
	 * Returns whether the default store could be made now. If
	 * {@code distributed-lock.store} is not set, the only type that is ready is chosen.
	 * @return {@code false} by default: the type has to be chosen
	 */
	default boolean isReady() {
		return false;
	}

	/**
	 * Says what is missing for the default store to be ready, for messages.
	 * @return for instance {@code no DataSource bean}; empty if the type has to be chosen
	 */
	default String missing() {
		return "";
	}

	/**
	 * Makes a store.
	 * @param definition which one, and its properties
	 * @return the store, not started yet
	 * @throws LockConfigurationException if it cannot be created of these properties
	 */
	CreatedStore create(Definition definition);

	/**
	 * A store that is to be made.
	 *
	 * @param id its id under {@code distributed-lock.stores}, or
	 * {@link io.distlock.stores.LockTemplates#DEFAULT}
	 * @param path what precedes the names of its properties in messages, with a full stop
	 * at its end: {@code distributed-lock.} or {@code distributed-lock.stores.audit.}
	 * @param binder has the properties
	 */
	record Definition(String id, String path, Binder binder) {

		/** What precedes the names of the properties of the default store. */
		public static final String DEFAULT_PATH = LockProperties.PREFIX + ".";

		/**
		 * Binds a group of properties of this store.
		 * @param <T> their type
		 * @param group the name of the group, for instance {@code redis}
		 * @param type their type, as for {@code @ConfigurationProperties}
		 * @return the properties, with their defaults where nothing is set
		 */
		public <T> T bind(String group, Class<T> type) {
			return this.binder.bindOrCreate(ConfigurationPropertyName.adapt(this.path + group, '.'), Bindable.of(type),
					BindHandler.DEFAULT);
		}

	}

	/**
	 * A store that was made.
	 *
	 * @param store the store
	 * @param check says at startup whether it can keep locks
	 * @param connections what to close after the store was stopped
	 * @param limit the longest lease that it grants, empty if it has no limit
	 */
	record CreatedStore(LockStore store, StoreCheck check, AutoCloseable connections, Optional<LeaseLimit> limit) {

		/**
		 * Creates a store without a check, without connections to close, and without a
		 * limit.
		 * @param store the store
		 */
		public CreatedStore(LockStore store) {
			this(store, StoreCheck.none(), () -> {
			}, Optional.empty());
		}

		/**
		 * Returns this store with a check.
		 * @param check says at startup whether it can keep locks
		 * @return a copy
		 */
		public CreatedStore checkedBy(StoreCheck check) {
			return new CreatedStore(this.store, check, this.connections, this.limit);
		}

		/**
		 * Returns this store with connections of its own.
		 * @param connections what to close after the store was stopped
		 * @return a copy
		 */
		public CreatedStore closing(AutoCloseable connections) {
			return new CreatedStore(this.store, this.check, connections, this.limit);
		}

		/**
		 * Returns this store with a quarantine, which no lease must outlive.
		 * @param property the property that sets it
		 * @param quarantine for how long; zero for no limit
		 * @return a copy
		 */
		public CreatedStore withQuarantine(String property, Duration quarantine) {
			return new CreatedStore(this.store, this.check, this.connections,
					quarantine.isZero() ? Optional.empty() : Optional.of(new LeaseLimit(property, quarantine)));
		}

	}

	/**
	 * The longest lease that a store grants.
	 *
	 * @param property the property that sets it
	 * @param longest how long
	 */
	record LeaseLimit(String property, Duration longest) {
	}

}
