package io.distlock.operations;

import java.util.List;

import io.distlock.CloseableLockTemplate;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;

/**
 * Shows the locks of this process and of the whole fleet, and releases a lock by force.
 * It is for people and their tools. Its results show a moment that has passed, so code
 * must not decide by them whether it may go on.
 * <p>
 * Texts of other processes, such as names of threads, are escaped and cut to 256
 * characters. Keys are returned unchanged. Methods that ask the store block the calling
 * thread, at most for twice the command timeout, and throw
 * {@link io.distlock.LockStoreException} if the store does not answer.
 */
public interface LockOperations {

	/**
	 * Returns the operations of a template.
	 * @param template a template that {@link io.distlock.engine.LockTemplateBuilder}
	 * created, or the bean of the auto-configuration
	 * @return its operations
	 * @throws IllegalArgumentException if the template is of another kind
	 */
	static LockOperations of(CloseableLockTemplate template) {
		if (template instanceof Provider provider) {
			return provider.operations();
		}
		throw new IllegalArgumentException(template.getClass().getName() + " has no operations: it implements neither "
				+ "LockOperations.Provider nor was it created by LockTemplateBuilder");
	}

	/**
	 * Reads a lock in the store.
	 * @param key the lock
	 * @return its holders, what is left of their leases, and the instances that wait; a
	 * lock that was never used is free
	 * @throws io.distlock.LockStoreException if the store could not answer
	 */
	LockSnapshot find(String key);

	/**
	 * Acquires a lock that no other code uses, and releases it, to find out whether the
	 * store grants locks. Listeners and observers of locks are not notified. The probe
	 * also succeeds if another process holds the lock at this moment. Blocks for two
	 * command timeouts at most.
	 * @param key the lock
	 * @throws io.distlock.LockStoreException if the store refuses, or does not answer
	 */
	void probe(String key);

	/**
	 * Returns the locks that this process holds, the oldest first. Does not ask the
	 * store. A minimum hold, which has no owner, is not among them; {@link #find} shows
	 * it.
	 * @return one entry for each owner
	 */
	List<HeldLock> heldHere();

	/**
	 * Returns the callers of this process that wait for a lock, beginning with the
	 * longest wait. Does not ask the store.
	 * @return one entry for each caller
	 */
	List<WaitingCaller> waitingHere();

	/**
	 * Finds locks of the whole fleet that are held or waited for.
	 * @param prefix what their keys begin with, empty for all
	 * @param limit how many locks at most, 1–1,000
	 * @return the first page
	 * @throws io.distlock.LockStoreException if the store could not answer
	 * @throws UnsupportedOperationException if the store cannot list its locks
	 */
	default LockPage list(String prefix, int limit) {
		return list(prefix, limit, "");
	}

	/**
	 * Finds more locks. The store reads only a part of its locks at a time, so that it
	 * never pauses. A page may therefore have fewer locks than the limit although there
	 * are more locks.
	 * @param prefix what their keys begin with, empty for all
	 * @param limit how many locks at most, 1–1,000
	 * @param cursor {@link LockPage#next()} of the page before, empty for the first page
	 * @return the page
	 * @throws io.distlock.LockStoreException if the store could not answer
	 * @throws UnsupportedOperationException if the store cannot list its locks
	 * @throws IllegalArgumentException if the cursor is not from this store
	 */
	LockPage list(String prefix, int limit, String cursor);

	/**
	 * Releases a lock by force, in the name of this application.
	 * @param key the lock
	 * @param reason why, for the log and the audit; at most 256 characters of it are kept
	 * @return a report of the ended holds, with none if the lock was free
	 * @throws io.distlock.LockStoreException if the store could not answer
	 * @throws IllegalArgumentException if the reason is blank
	 * @throws UnsupportedOperationException if the store cannot release by force
	 * @see #forceRelease(String, String, String)
	 */
	ForcedRelease forceRelease(String key, String reason);

	/**
	 * Releases a lock by force. Ends all holds that the lock has now, whether exclusive,
	 * shared, permits or a minimum hold, and of any process. The next waiter gets the
	 * lock with a higher fencing token. A hold that is granted while this method runs is
	 * not ended.
	 * <p>
	 * <strong>The code of the former holder goes on.</strong> If the store sends
	 * messages, the former holder learns of the loss by a message, otherwise at its next
	 * renewal, and at the latest when its lease would have ended. Until then two holders
	 * may rely on the lock. A resource that checks fencing tokens is protected at once.
	 * @param key the lock
	 * @param reason why
	 * @param by the author of the order, for instance the name of a user; at most 256
	 * characters of it are kept
	 * @return a report of the ended holds, with none if the lock was free
	 * @throws IllegalArgumentException if the reason is blank
	 * @throws io.distlock.LockStoreException if the store could not answer
	 * @throws UnsupportedOperationException if the store cannot release by force
	 */
	ForcedRelease forceRelease(String key, String reason, String by);

	/**
	 * Checks whether a lock can be released by force, without doing it. Does not ask the
	 * store and does not block.
	 * @param key the lock
	 * @throws UnsupportedOperationException if a store of the lock cannot release by
	 * force
	 */
	default void checkForceRelease(String key) {
	}

	/** A template that has operations. */
	interface Provider {

		/**
		 * Returns the operations.
		 * @return the operations, valid as long as the template
		 */
		LockOperations operations();

	}

}
