package io.distlock.migration;

import io.distlock.LockStoreException;
import io.distlock.spi.RequestId;

/** The locks of another library, in its format. All methods block. */
interface ForeignLocks {

	/**
	 * Tries to take a lock.
	 * @param name the name of the lock in the other library
	 * @param request who takes it
	 * @param lease how long, in milliseconds
	 * @param free whether to take the lock even if no instance of this library had it
	 * right before
	 * @param turn how long instances of this library may take the lock from each other,
	 * in microseconds, if the lock is free now
	 * @return the answer
	 */
	Answer acquire(String name, RequestId request, long lease, boolean free, long turn);

	Answer renew(String name, RequestId request, long lease);

	/**
	 * Releases a lock.
	 * @param name the name of the lock in the other library
	 * @param request who had it
	 * @param keep how long nobody may have it, in milliseconds
	 * @param leave how long to leave it to the next request of this library while the
	 * turn lasts, in milliseconds
	 * @return the answer
	 */
	Answer finish(String name, RequestId request, long keep, long leave);

	/** Returns a hold, whoever has it, or 0 if the lock is free. */
	Answer inspect(String name);

	/**
	 * Tells those who wait with the other library that a lock that was left may be free.
	 */
	default void tell(String name) {
	}

	/**
	 * Tells a failure that may pass from one that does not.
	 * @param key the lock
	 * @param where what did not answer
	 * @param failure what a method of this object threw
	 * @return what the engine understands
	 */
	LockStoreException translate(String key, String where, RuntimeException failure);

	/**
	 * An answer.
	 *
	 * @param outcome 1 for yes, 0 for no, -1 if the request is over
	 * @param micros the time of the server
	 * @param text who has the lock, or a number
	 */
	record Answer(int outcome, long micros, String text) {

		boolean yes() {
			return this.outcome == 1;
		}

	}

}
