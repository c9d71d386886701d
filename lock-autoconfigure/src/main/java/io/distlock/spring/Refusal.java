package io.distlock.spring;

import io.distlock.LockException;
import org.jspecify.annotations.Nullable;

/** What happens instead of the body when a method gets no lock. */
interface Refusal {

	/** Throws what was thrown. */
	Refusal THROW = (call, reason) -> {
		throw reason;
	};

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
