package io.distlock.internal;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * The two ways to hold a lock, as {@link ReadWriteLock} wants them.
 *
 * @param readLock with others that read
 * @param writeLock alone
 */
record ThreadReadWriteLock(Lock readLock, Lock writeLock) implements ReadWriteLock {

	@Override
	public String toString() {
		return "ReadWriteLock[" + this.writeLock + "]";
	}

}
