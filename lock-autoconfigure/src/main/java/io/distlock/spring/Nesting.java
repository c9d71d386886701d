package io.distlock.spring;

import java.util.List;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.spi.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Calls within calls for the same lock. A thread that holds a lock may acquire it again;
 * a lock that no thread owns is handed on by its handle instead, as long as it is held.
 */
final class Nesting {

	private Nesting() {
	}

	/**
	 * The lock of a calling method, if no thread owns it.
	 * @return a further handle, or {@code null} if there is none
	 */
	static SharedLock.@Nullable Handle shared(List<LockHandle> outer, LockRequest request) {
		for (LockHandle lock : outer) {
			if (lock instanceof SharedLock.Handle handle && lock.key().equals(request.key())) {
				SharedLock.Handle nested = handle.shared().enter(request);
				if (nested != null) {
					return nested;
				}
			}
		}
		return null;
	}

	/**
	 * The lock of a method that this thread is running, for a body that will run without
	 * a thread.
	 * @return a further handle, or {@code null} if there is none
	 * @throws IllegalStateException if the thread owns the lock: it cannot be handed on,
	 * since the thread may let others in while the body still runs
	 */
	static SharedLock.@Nullable Handle sharedOnThread(LockRequest request, LockSite site) {
		List<LockHandle> outer = LockContext.all();
		SharedLock.Handle shared = shared(outer, request);
		if (shared == null && outer.stream().anyMatch((lock) -> isOwnedByThread(lock, request))) {
			throw new IllegalStateException(site.title() + ": lock '" + KeyText.of(request.key())
					+ "' is held by the calling thread '" + Thread.currentThread().getName()
					+ "', and an asynchronous body would wait for it in vain. Make the method that holds it "
					+ "asynchronous too, or call this one after it");
		}
		return shared;
	}

	private static boolean isOwnedByThread(LockHandle lock, LockRequest request) {
		return !(lock instanceof SharedLock.Handle) && lock.key().equals(request.key()) && lock.isHeld();
	}

}
