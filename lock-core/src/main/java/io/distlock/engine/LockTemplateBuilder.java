package io.distlock.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.internal.LockEngine;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;

/**
 * Creates a lock template on a store. One template per process and store is enough. A
 * template has one housekeeping thread for all its locks.
 *
 * <pre>
 * try (CloseableLockTemplate locks = LockTemplateBuilder.forStore(store).build()) {
 *     locks.run("stock:42", (lock) -&gt; …);
 * }
 * </pre>
 */
public final class LockTemplateBuilder {

	private final LockStore store;

	private LockSettings settings = LockSettings.DEFAULTS;

	private LockClock clock = LockClock.system();

	private String storeId = LockTemplates.DEFAULT;

	private final List<LockObserver> observers = new ArrayList<>();

	private LockTemplateBuilder(LockStore store) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	/**
	 * Creates a builder.
	 * @param store the store that keeps the locks; it belongs to the built template,
	 * which stops it
	 * @return the builder
	 */
	public static LockTemplateBuilder forStore(LockStore store) {
		return new LockTemplateBuilder(store);
	}

	/**
	 * Sets the template's settings. The default is {@link LockSettings#DEFAULTS}.
	 * @param settings the settings
	 * @return this builder
	 */
	public LockTemplateBuilder settings(LockSettings settings) {
		this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
		return this;
	}

	/**
	 * Sets the clock, for tests on virtual time. The default is the machine's clock.
	 * @param clock the clock
	 * @return this builder
	 */
	public LockTemplateBuilder clock(LockClock clock) {
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
		return this;
	}

	/**
	 * Sets the id of the store for observers. The default is {@code default}.
	 * @param storeId the id of the store
	 * @return this builder
	 */
	public LockTemplateBuilder storeId(String storeId) {
		this.storeId = Objects.requireNonNull(storeId, "'storeId' must not be null");
		return this;
	}

	/**
	 * Adds an observer that is notified of each step of each lock, and of what goes
	 * wrong. There is none by default.
	 * @param observer the observer; it must be fast and thread-safe
	 * @return this builder
	 */
	public LockTemplateBuilder observer(LockObserver observer) {
		this.observers.add(Objects.requireNonNull(observer, "'observer' must not be null"));
		return this;
	}

	/**
	 * Creates the template and starts its store. Does not wait for the store to answer.
	 * @return the template; close it when the process needs no more locks
	 */
	public CloseableLockTemplate build() {
		String instance = UUID.randomUUID().toString().replace("-", "");
		return new LockEngine(this.store, this.settings, this.clock, instance, this.storeId,
				LockObserver.all(this.observers));
	}

}
