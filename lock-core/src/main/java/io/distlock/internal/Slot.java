package io.distlock.internal;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A value set once, for which the creating thread waits.
 *
 * @param <T> the value
 */
class Slot<T> {

	private final Thread owner = Thread.currentThread();

	private volatile @Nullable T value;

	/** The thread that waits. */
	final Thread owner() {
		return this.owner;
	}

	final void set(T value) {
		this.value = value;
	}

	void wake() {
		LockSupport.unpark(this.owner);
	}

	final @Nullable T value() {
		return this.value;
	}

	final boolean isSet() {
		return this.value != null;
	}

}
