package io.distlock;

/** Says why a lock was lost. */
public enum LossReason {

	/**
	 * The local deadline passed before a renewal was confirmed. The store did not answer,
	 * the process was stopped or starved of CPU, or a fixed lease was shorter than the
	 * body. The lock may still be free.
	 */
	EXPIRED("its lease ended before a renewal was confirmed"),

	/**
	 * The store handed the lock over with a grant that the new owner had to confirm.
	 * Until it is confirmed, such a grant may be shorter than the lease. No confirmation
	 * was answered in time, because the store did not answer, or the process was stopped
	 * or starved of CPU. {@link LockLoss#lease()} is the length of that grant.
	 */
	UNCONFIRMED("the grant with which it was handed over was not confirmed in time"),

	/**
	 * The store answered a renewal with no, although the lease was not over. An operator
	 * deleted or overwrote the hold, or the hold was lost with the store's data or in a
	 * failover. Another owner may hold the lock already, or it may be free: the store
	 * does not tell these cases apart.
	 */
	TAKEN("the store no longer knew this hold when it was to be renewed"),

	/**
	 * The hold was gone as with {@link #TAKEN}, but the engine found this only when it
	 * released the lock before the end of the lease. The body had ended by then, but the
	 * lock had not protected it all the time.
	 */
	VANISHED("the store no longer knew this hold when it was released, though its lease was not over"),

	/**
	 * The hold was gone from the database of the locks right before a transaction was to
	 * commit. The transaction was rolled back. Another owner has taken over the lock
	 * after its lease, or the row of the lock was deleted.
	 */
	GONE_AT_COMMIT("the store no longer knew this hold when a transaction was to commit "
			+ "(it has no row for a lock of another LockTemplate than the application's)"),

	/**
	 * The lease ended while this machine was suspended, or its wall clock was set forward
	 * by as much. The monotonic clock stood still meanwhile.
	 */
	SUSPENDED("its lease ended while this machine was suspended or its clock was set forward"),

	/**
	 * The lock was released by force. An operator gave it to the next waiter, or left it
	 * free. If the store sends messages, this process learns of it at once, otherwise at
	 * the next renewal or at the release. The process that released the lock by force
	 * logs who ordered it, and why.
	 */
	FORCED("the lock was released by force");

	private final String description;

	LossReason(String description) {
		this.description = description;
	}

	/**
	 * Returns the reason in words.
	 * @return a clause: {@code its lease ended before a renewal was confirmed}
	 */
	public String description() {
		return this.description;
	}

}
