package io.distlock;

/**
 * A body without a result that runs under a lock.
 *
 * @param <E> what the body may throw
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
