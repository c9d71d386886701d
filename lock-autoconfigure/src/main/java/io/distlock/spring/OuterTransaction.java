package io.distlock.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;

/**
 * A transaction that was open before the lock was taken. Its changes become visible when
 * it commits, after the method returned: the lock has to last as long.
 */
final class OuterTransaction {

	private static final Logger logger = LoggerFactory.getLogger(OuterTransaction.class);

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Leaves the release of a lock to the transaction, if one is open.
	 * @param lock what to release
	 * @param method for which it was taken
	 * @return whether the transaction will release the lock
	 */
	boolean releases(LockHandle lock, LockedMethod method) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return false;
		}
		String place = method.site().describe();
		TransactionSynchronizationManager.registerSynchronization(new Release(lock, place));
		if (!isNested(lock) && this.warned.add(place)) {
			String name = TransactionSynchronizationManager.getCurrentTransactionName();
			logger.warn("@DistributedLock on {} was called inside the open transaction{}: the lock is released when "
					+ "that transaction ends, not when the method returns. Call it before the transaction begins "
					+ "to hold the lock no longer than needed and to read what the previous holder committed", place,
					(name != null) ? " of " + name : "");
		}
		return true;
	}

	/** Outer methods hold the same locks already, so nothing is held any longer. */
	private static boolean isNested(LockHandle lock) {
		Set<String> outer = LockContext.all().stream().map(LockHandle::key).collect(Collectors.toSet());
		return lock.parts().stream().allMatch((part) -> outer.contains(part.key()));
	}

	/** Of the lowest order: checks as late, and releases as late, as possible. */
	private record Release(LockHandle lock, String place) implements TransactionSynchronization {

		@Override
		public void beforeCommit(boolean readOnly) {
			this.lock.ensureHeld();
		}

		@Override
		public void afterCompletion(int status) {
			try {
				this.lock.close();
			}
			catch (LockLostException ex) {
				if (status != STATUS_ROLLED_BACK) {
					logger.error("@DistributedLock on {}: the lock was lost during the commit, after the last check",
							this.place, ex);
				}
			}
		}

	}

}
