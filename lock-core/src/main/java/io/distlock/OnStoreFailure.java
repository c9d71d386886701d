package io.distlock;

/**
 * Says what an annotated method does when the store cannot grant its lock for another
 * reason than that it is held: after a {@link LockStoreException}, which is a missing
 * answer or a refusal such as a missing right, as each choice says.
 */
public enum OnStoreFailure {

	/** Take the default of the application, which is {@link #FAIL} unless configured. */
	DEFAULT,

	/** Throw {@link LockStoreException}; the body does not run. */
	FAIL,

	/**
	 * Run the body <strong>without the lock</strong>, perhaps at the same time as others,
	 * after a warning. Only for work that is better done twice than never.
	 */
	RUN_WITHOUT_LOCK,

	/**
	 * Run the body under a lock of <strong>this process only</strong>, after a warning:
	 * bodies of other processes may run at the same time. Only while the store does not
	 * answer ({@link io.distlock.spi.TransientStoreException}); a refusal, such as a
	 * missing right or an error that is not known, is thrown. Two bodies of one key do
	 * not overlap in this process, whether the store granted the lock or not, as long as
	 * all of them are methods with this choice. For methods that return a value and take
	 * a lock alone.
	 */
	LOCAL_ONLY

}
