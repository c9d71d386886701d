package io.distlock.autoconfigure;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import io.distlock.stores.LockTemplates;

/**
 * All observers of the application, for each of its stores. Looked up once all singletons
 * are there, as they may need the template themselves. A template of the application's
 * own counts as one of the default store.
 */
final class LockObservers implements LockObserver, SmartInitializingSingleton {

	private final ConcurrentMap<String, OfStore> stores = new ConcurrentHashMap<>();

	private final ObjectProvider<LockObserver> observers;

	private volatile List<LockObserver> known = List.of();

	private final LockObserver own;

	LockObservers(ObjectProvider<LockObserver> observers) {
		this.observers = observers;
		this.own = of(LockTemplates.DEFAULT);
	}

	/**
	 * Returns what observes the locks of one store.
	 * @param store its id
	 * @return the observer
	 */
	LockObserver of(String store) {
		OfStore created = this.stores.computeIfAbsent(store, OfStore::new);
		created.lookUp(this.known);
		return created;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.known = this.observers.orderedStream().filter((observer) -> observer != this).toList();
		this.stores.values().forEach((store) -> store.lookUp(this.known));
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(LockRequest request) {
		return this.own.acquiring(request);
	}

	/** Here it is not known which store the lock is in. */
	@Override
	public void notTaken(LockNotTaken lock) {
		LockObserver.all(this.known).notTaken(lock);
	}

	@Override
	public boolean observesCommands() {
		return this.own.observesCommands();
	}

	@Override
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		this.own.commandEnded(command, nanos, failure);
	}

	/** The observers of one store. */
	private static final class OfStore implements LockObserver {

		private final String store;

		private volatile LockObserver observer = LockObserver.NONE;

		private OfStore(String store) {
			this.store = store;
		}

		private void lookUp(List<LockObserver> known) {
			this.observer = LockObserver.all(known.stream()
				.map((each) -> (each instanceof PerStore parts) ? parts.observer(this.store) : each)
				.toList());
		}

		@Override
		public @Nullable AcquisitionObserver acquiring(LockRequest request) {
			return this.observer.acquiring(request);
		}

		@Override
		public boolean observesCommands() {
			return this.observer.observesCommands();
		}

		@Override
		public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
			this.observer.commandEnded(command, nanos, failure);
		}

	}

}
