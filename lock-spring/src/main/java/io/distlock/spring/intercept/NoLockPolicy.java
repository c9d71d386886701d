package io.distlock.spring.intercept;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/** Answers for the body when a method gets no lock. */
interface NoLockPolicy {

	/**
	 * Answers for the body.
	 * @param call the call that got no lock
	 * @param reason why: {@link io.distlock.LockBusyException} or
	 * {@link io.distlock.LockStoreException}
	 * @return what the method returns
	 * @throws Throwable the reason, or what an answer of the application's throws
	 */
	@Nullable Object answer(LockedCall call, LockException reason) throws Throwable;

}
