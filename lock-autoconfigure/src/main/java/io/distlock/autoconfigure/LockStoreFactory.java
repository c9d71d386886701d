package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

import io.distlock.spi.LockStore;

/**
 * Makes stores of one type: the default store, and stores of
 * {@code distributed-lock.stores}. A module with a store declares a bean of this class.
 * Its {@link #type()} is then a value of {@code distributed-lock.store} and of
 * {@code distributed-lock.stores.<id>.type}.
 */
public interface LockStoreFactory {

	/**
	 * Returns the type of the stores.
	 * @return the name of the type in properties, in lower case
	 */
	String type();

	/**
	 * Returns whether the default store could be made now. If
	 * {@code distributed-lock.store} is not set, the only type that is ready is chosen.
	 * @return {@code false} by default, so that the type must be set
	 */
	default boolean isReady() {
		return false;
	}

	/**
	 * Returns for messages what the default store needs to be ready.
	 * @return for instance {@code no DataSource bean}; empty if the type must be set
	 */
	default String missing() {
		return "";
	}

	/**
	 * Makes a store.
	 * @param definition the store to make, with its properties
	 * @return the store, not yet started
	 * @throws LockConfigurationException if these properties cannot make a store
	 */
	CreatedStore create(Definition definition);

	/**
	 * Describes a store to make.
	 *
	 * @param id the id of the store under {@code distributed-lock.stores}, or
	 * {@link io.distlock.stores.LockTemplates#DEFAULT}
	 * @param path the prefix of the store's properties in messages, with a full stop at
	 * the end: {@code distributed-lock.} or {@code distributed-lock.stores.audit.}
	 * @param binder has the properties
	 */
	record Definition(String id, String path, Binder binder) {

		/** The prefix of the properties of the default store. */
		public static final String DEFAULT_PATH = LockProperties.PREFIX + ".";

		/**
		 * Binds a group of properties of this store.
		 * @param <T> the type of the properties
		 * @param group the name of the group, for instance {@code redis}
		 * @param type the type of the properties, as for {@code @ConfigurationProperties}
		 * @return the properties, with defaults for unset properties
		 */
		public <T> T bind(String group, Class<T> type) {
			return this.binder.bindOrCreate(ConfigurationPropertyName.adapt(this.path + group, '.'), Bindable.of(type),
					BindHandler.DEFAULT);
		}

	}

	/**
	 * A made store.
	 *
	 * @param store the store
	 * @param check checks at startup whether the store can keep locks
	 * @param connections the connections to close after the store has stopped
	 * @param limit the longest lease that the store grants, empty without a limit
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
		 * @param check checks at startup whether the store can keep locks
		 * @return a copy
		 */
		public CreatedStore checkedBy(StoreCheck check) {
			return new CreatedStore(this.store, check, this.connections, this.limit);
		}

		/**
		 * Returns this store with separate connections.
		 * @param connections the connections to close after the store has stopped
		 * @return a copy
		 */
		public CreatedStore closing(AutoCloseable connections) {
			return new CreatedStore(this.store, this.check, connections, this.limit);
		}

		/**
		 * Returns this store with a quarantine, which no lease must outlive.
		 * @param property the property that sets the quarantine
		 * @param quarantine the length of the quarantine; zero for no limit
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
	 * @param property the property that sets the limit
	 * @param longest the longest lease
	 */
	record LeaseLimit(String property, Duration longest) {
	}

}
