package io.distlock;

/**
 * Says what an annotated method does when its lock stays busy for the whole wait time.
 */
public enum OnBusy {

	/** Throw {@link LockBusyException}; the body does not run. */
	THROW,

	/**
	 * Return without running the body: {@code null}, an empty {@code Optional}, or the
	 * annotation's {@code skipValue}.
	 */
	SKIP,

	/** Call the fallback method of the same bean instead. */
	FALLBACK

}
