package io.distlock.spring;

import java.util.Collection;

import io.distlock.LockHandle;
import io.distlock.LockLostException;

/**
 * Makes sure of locks as the last step before a commit, beyond their local deadlines. A
 * bean of this type is asked by the commit guard; such beans are asked in their order.
 */
@FunctionalInterface
public interface CommitCheck {

	/**
	 * Called on the committing thread, in the transaction, after all callbacks before the
	 * commit. Whatever it throws rolls the transaction back.
	 * @param locks those of the running methods, all of them held by their local
	 * deadlines
	 * @throws LockLostException if one is not held any more
	 */
	void beforeCommit(Collection<LockHandle> locks);

}
