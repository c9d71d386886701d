package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/**
 * Decides what annotated methods do that got no lock and do not say it themselves: busy
 * ones with {@link io.distlock.OnBusy#THROW}, and those whose store cannot answer with
 * {@link io.distlock.OnStoreFailure#FAIL}. Register one as a bean; without it the
 * exception is thrown. Not asked when a lock was lost, or when waiting was interrupted.
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
