package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/**
 * Runs methods that return a stage. No thread waits for the lock. The lock is held until
 * the stage completes.
 */
final class StageStyle implements CallStyle {

	/** Runs continuations on other threads, so that the caller continues at once. */
	static final StageStyle INSTANCE = new StageStyle(false);

	/**
	 * Runs the body on the calling thread if possible, because this thread serves only
	 * this call.
	 */
	static final StageStyle ON_OWN_THREAD = new StageStyle(true);

	private final boolean ownThread;

	private StageStyle(boolean ownThread) {
		this.ownThread = ownThread;
	}

	@Override
	public @Nullable Object run(LockedCall call, NoLockPolicy policy) {
		return new StageRun(call.detach(), policy).begin(this.ownThread);
	}

	@Override
	public @Nullable Object fail(LockException reason) {
		return CompletableFuture.failedFuture(reason);
	}

}
