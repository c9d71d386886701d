package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;

/**
 * What {@link ReactiveRun} runs under a lock.
 *
 * @param <T> the elements
 */
public interface ReactiveCall<T> {

	/**
	 * Returns the place of the call.
	 * @return the beginning of messages
	 */
	String place();

	/**
	 * Returns what to acquire.
	 * @return the request
	 */
	LockRequest request();

	/**
	 * Acquires the lock for a handle, without a waiting thread.
	 * @param request the request
	 * @return the handle; cancelled if the subscription is cancelled
	 */
	CompletableFuture<LockHandle> acquireAsync(LockRequest request);

	/**
	 * Leaves the release to an open transaction, if the lock must outlive it.
	 * @param lock the lock
	 * @param nested whether an outer body also holds the lock
	 * @return whether the transaction will release the lock
	 */
	default Mono<Boolean> leaves(LockHandle lock, boolean nested) {
		return Mono.just(false);
	}

	/**
	 * Calls the body.
	 * @param lock the lock
	 * @return the work
	 * @throws Throwable what the body throws
	 */
	Publisher<T> proceed(LockHandle lock) throws Throwable;

	/**
	 * Answers in place of the body.
	 * @param reason why there is no lock
	 * @return the answer
	 * @throws Throwable what the subscriber gets instead of an answer
	 */
	Publisher<T> refused(LockException reason) throws Throwable;

}
