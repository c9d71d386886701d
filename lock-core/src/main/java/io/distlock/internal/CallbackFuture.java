package io.distlock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A future whose asynchronous continuations run on the threads of callbacks if nothing
 * else is said, not on the few of the common pool: they may block.
 */
final class CallbackFuture<T> extends CompletableFuture<T> {

	private final Executor threads;

	CallbackFuture(Executor threads) {
		this.threads = threads;
	}

	@Override
	public Executor defaultExecutor() {
		return this.threads;
	}

	@Override
	public <U> CompletableFuture<U> newIncompleteFuture() {
		return new CallbackFuture<>(this.threads);
	}

}
