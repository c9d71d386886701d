package io.distlock.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockSkipped;
import io.distlock.observe.StoreCommand;

/**
 * All observers of the application. Looked up once all singletons are there, as they may
 * need the template themselves.
 */
final class LockObservers implements LockObserver, SmartInitializingSingleton {

	private final ObjectProvider<LockObserver> observers;

	private volatile LockObserver known = LockObserver.NONE;

	LockObservers(ObjectProvider<LockObserver> observers) {
		this.observers = observers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.known = LockObserver.all(this.observers.orderedStream().filter((observer) -> observer != this).toList());
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(LockRequest request) {
		return this.known.acquiring(request);
	}

	@Override
	public void skipped(LockSkipped skipped) {
		this.known.skipped(skipped);
	}

	@Override
	public boolean observesCommands() {
		return this.known.observesCommands();
	}

	@Override
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		this.known.commandEnded(command, nanos, failure);
	}

}
