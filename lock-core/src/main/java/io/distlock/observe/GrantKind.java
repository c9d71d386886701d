package io.distlock.observe;

/** Says how a lock came to its new holder. */
public enum GrantKind {

	/** The lock was free. The caller waited only for the store, not for a holder. */
	FREE,

	/** Another thread of this process passed the lock on, without a command. */
	HERE,

	/** The store granted the lock after another thread of this process had held it. */
	WAITED,

	/**
	 * Another process had held the lock, and a message of the store brought the grant.
	 */
	PUSH,

	/**
	 * Another process had held the lock, and the engine found the grant by asking the
	 * store again.
	 */
	POLL,

	/** The owner already had the lock and acquired it once more. */
	NESTED

}
