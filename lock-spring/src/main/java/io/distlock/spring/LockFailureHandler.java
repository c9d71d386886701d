package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/**
 * Decides what an annotated method returns that did not get its lock. It is called when
 * the lock was busy and the method has {@link io.distlock.OnBusy#THROW}, and when the
 * store could not answer and the method has {@link io.distlock.OnStoreFailure#FAIL}.
 * Register a handler as a bean. Without a handler, the call throws the exception. The
 * handler is not called when a lock was lost, or when waiting was interrupted.
 */
@FunctionalInterface
public interface LockFailureHandler {

	/**
	 * Returns the result of a method that does not run.
	 * @param failure the call, and the reason
	 * @return what the method returns, of the method's return type
	 * @throws Throwable what the caller gets instead, usually
	 * {@link LockFailure#exception()}
	 */
	@Nullable Object handle(LockFailure failure) throws Throwable;

}
