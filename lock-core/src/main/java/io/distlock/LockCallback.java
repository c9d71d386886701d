package io.distlock;

import org.jspecify.annotations.Nullable;

/**
 * A body with a result that runs under a lock.
 *
 * @param <T> the result
 * @param <E> what the body may throw
 */
@FunctionalInterface
public interface LockCallback<T extends @Nullable Object, E extends Exception> {

	/**
	 * Runs while the lock is held.
	 * @param lock the hold, for its fencing token and {@link LockHandle#ensureHeld()};
	 * the template closes it
	 * @return the result handed to the caller
	 * @throws E what the body throws
	 */
	T call(LockHandle lock) throws E;

}
