package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/** How methods of one kind of return type run under their lock. */
interface CallStyle {

	/**
	 * Acquires, runs the body, releases when its work is done.
	 * @param call the call
	 * @return what the method returns
	 * @throws Throwable what the method throws
	 */
	@Nullable Object run(LockedCall call) throws Throwable;

}
