package io.distlock.spring.intercept;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/** Runs methods of one kind of return type under their lock. */
interface CallStyle {

	/**
	 * Acquires the lock, runs the body, and releases the lock when the body's work is
	 * done.
	 * @param call the call
	 * @param policy answers instead of the body if the call gets no lock
	 * @return what the method returns
	 * @throws Throwable what the method throws
	 */
	@Nullable Object run(LockedCall call, NoLockPolicy policy) throws Throwable;

	/**
	 * Fails a call that must not begin.
	 * @param reason the reason
	 * @return a result that carries the reason, in the form of the style
	 */
	@Nullable Object fail(LockException reason);

}
