package io.distlock.spring;

import java.util.Collection;

import io.distlock.LockHandle;
import io.distlock.LockLostException;

/**
 * Checks locks as the last step before a commit, beyond their local deadlines. The commit
 * guard calls all beans of this type, in their order.
 */
@FunctionalInterface
public interface CommitCheck {

	/**
	 * Checks locks on the committing thread, in the transaction, after all other
	 * callbacks before the commit. Any exception rolls the transaction back.
	 * @param locks the locks of the running methods, all of them held by their local
	 * deadlines
	 * @throws LockLostException if a lock is no longer held
	 */
	void beforeCommit(Collection<LockHandle> locks);

}
