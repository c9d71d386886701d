package io.distlock.spring.intercept;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/** Answers instead of the body if a method gets no lock. */
interface NoLockPolicy {

	/**
	 * Answers instead of the body.
	 * @param call the call that got no lock
	 * @param reason the reason: {@link io.distlock.LockBusyException} or
	 * {@link io.distlock.LockStoreException}
	 * @return what the method returns
	 * @throws Throwable the reason, or an exception of the application's handler
	 */
	@Nullable Object answer(LockedCall call, LockException reason) throws Throwable;

}
