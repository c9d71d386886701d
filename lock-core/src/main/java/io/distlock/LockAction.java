package io.distlock;

/**
 * A body that runs under a lock, without a result.
 *
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface LockAction<E extends Exception> {

	/**
	 * Runs while the lock is held.
	 * @param lock the hold, for its fencing token and {@link LockHandle#ensureHeld()};
	 * the template closes it
	 * @throws E what the body throws
	 */
	void run(LockHandle lock) throws E;

}
