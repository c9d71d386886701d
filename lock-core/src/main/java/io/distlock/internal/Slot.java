package io.distlock.internal;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A value set once, for which the creating thread waits.
 *
 * @param <T> the value
 */
class Slot<T> {

	private final Thread waiter = Thread.currentThread();

	private volatile @Nullable T value;

	final void set(T value) {
		this.value = value;
	}

	void wake() {
		LockSupport.unpark(this.waiter);
	}

	final @Nullable T value() {
		return this.value;
	}

	final boolean isSet() {
		return this.value != null;
	}

}
