package io.distlock.internal;

import java.util.function.Supplier;

import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;

/**
 * Observes each acquisition.
 *
 * @param observers makes what is notified of an acquisition
 */
record EachObserved(Supplier<AcquisitionObserver> observers) implements LockObserver {

	@Override
	public AcquisitionObserver acquiring(String store, LockRequest request) {
		return this.observers.get();
	}

}
