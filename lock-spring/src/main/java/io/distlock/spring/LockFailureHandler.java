package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/**
 * Decides what annotated methods return that did not get their lock: when it was busy and
 * the method has {@link io.distlock.OnBusy#THROW}, and when the store could not answer
 * and the method has {@link io.distlock.OnStoreFailure#FAIL}. Register one as a bean;
 * without it the exception is thrown. It is not called when a lock was lost, or when
 * waiting was interrupted.
 */
@FunctionalInterface
public interface LockFailureHandler {

	/**
	 * Answers for a method that does not run.
	 * @param failure the call, and why it got no lock
	 * @return what the method returns; must be of its return type
	 * @throws Throwable what the caller gets instead, usually
	 * {@link LockFailure#exception()}
	 */
	@Nullable Object handle(LockFailure failure) throws Throwable;

}
