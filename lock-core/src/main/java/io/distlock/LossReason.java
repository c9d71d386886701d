package io.distlock;

/** Says why a lock was lost. */
public enum LossReason {

	/**
	 * The local deadline passed: no renewal was confirmed in time, because the store did
	 * not answer, the process was stopped or starved of CPU, or the lease was a fixed
	 * one, shorter than the body. The lock may still be free.
	 */
	EXPIRED("its lease ended before a renewal was confirmed"),

	/**
	 * The store had handed the lock over with a grant that may be shorter than the lease
	 * until the new owner confirms it, and no confirmation was answered in time: the
	 * store did not answer, or the process was stopped or starved of CPU.
	 * {@link LockLoss#lease()} is the length of that grant.
	 */
	UNCONFIRMED("the grant with which it was handed over was not confirmed in time"),

	/**
	 * The store answered a renewal with no, though the lease was not over: the hold was
	 * deleted or overwritten by an operator, or lost with the store's data or in a
	 * failover. Another owner may hold the lock already, or none: the store does not tell
	 * these cases apart.
	 */
	TAKEN("the store no longer knew this hold when it was to be renewed"),

	/**
	 * The same, found when the lock was released in good time: the body had ended before,
	 * but the lock did not protect it all the time.
	 */
	VANISHED("the store no longer knew this hold when it was released, though its lease was not over"),

	/**
	 * The same, found in the database of the locks right before a transaction was to
	 * commit, which was rolled back: another owner has taken over the lock after its
	 * lease, or its row was deleted.
	 */
	GONE_AT_COMMIT("the store no longer knew this hold when a transaction was to commit "
			+ "(it has no row for a lock of another LockTemplate than the application's)"),

	/**
	 * The lease ended while this machine was suspended, or its wall clock was set forward
	 * by as much: the monotonic clock stood still meanwhile.
	 */
	SUSPENDED("its lease ended while this machine was suspended or its clock was set forward"),

	/**
	 * The lock was released by force: an operator gave it to the next waiter, or left it
	 * free. Known at once where the store sends messages, elsewhere at the next renewal
	 * or at the release. The log of the process that did it says who, and why.
	 */
	FORCED("the lock was released by force");

	private final String description;

	LossReason(String description) {
		this.description = description;
	}

	/**
	 * The reason in words.
	 * @return a clause: {@code its lease ended before a renewal was confirmed}
	 */
	public String description() {
		return this.description;
	}

}
