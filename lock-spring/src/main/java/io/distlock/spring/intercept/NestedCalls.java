package io.distlock.spring.intercept;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Handles calls within calls for the same lock. A thread that holds a lock may acquire it
 * again. A lock that no thread owns is shared through its handle instead, as long as it
 * is held.
 */
final class NestedCalls {

	private NestedCalls() {
	}

	/**
	 * Forks the locks of calling methods, if no thread owns them.
	 * @return a further handle, or {@code null} if there is none
	 * @throws IllegalStateException if the methods have only some of the requested locks
	 */
	static @Nullable LockHandle shared(List<LockHandle> outer, LockRequest request) {
		return outer.isEmpty() ? null
				: shared(request, (key) -> outer.stream().filter((lock) -> lock.key().equals(key)));
	}

	/**
	 * Forks locks from another source.
	 * @param request the requested locks
	 * @param outer finds locks by key, in the order of preference
	 * @return a further handle, or {@code null} if there is none
	 * @throws IllegalStateException if there are only some of the requested locks
	 */
	static @Nullable LockHandle shared(LockRequest request, Function<String, Stream<LockHandle>> outer) {
		List<LockHandle> forks = new ArrayList<>();
		try {
			for (String key : request.keys()) {
				outer.apply(key)
					.flatMap((lock) -> LockScopes.fork(lock, request.forKey(key)).stream())
					.findFirst()
					.ifPresent(forks::add);
			}
			if (!forks.isEmpty() && forks.size() < request.keys().size()) {
				throw new IllegalStateException("Lock '" + KeyText.of(forks.get(0).key()) + "' of '"
						+ KeyText.of(request.key()) + "' is held already, by the calling method or its transaction, so "
						+ "a call for all of them would wait for itself. Take all of them on the outermost method");
			}
		}
		catch (RuntimeException ex) {
			forks.forEach(LockHandle::closeAsync);
			throw ex;
		}
		return forks.isEmpty() ? null : LockScopes.together(forks);
	}

	/**
	 * Returns the lock of a method that this thread is running, for a body that no thread
	 * will own.
	 * @return a further handle, or {@code null} if there is none
	 * @throws IllegalStateException if the thread owns the lock and so cannot share it,
	 * because the thread may release the lock while the body still runs
	 */
	static @Nullable LockHandle sharedOnThread(LockRequest request, String place) {
		List<LockHandle> outer = LockContext.all();
		LockHandle shared = shared(outer, request);
		if (shared == null && request.permits().isEmpty()) {
			outer.stream().filter((lock) -> isOwnedByThread(lock, request)).findFirst().ifPresent((lock) -> {
				throw new IllegalStateException(place + ": lock '" + KeyText.of(lock.key())
						+ "' is held by the calling thread '" + ForeignText.nameOf(Thread.currentThread())
						+ "', and an asynchronous body would wait for it in vain. Make the method that holds it "
						+ "asynchronous too, or call this one after it");
			});
		}
		return shared;
	}

	private static boolean isOwnedByThread(LockHandle lock, LockRequest request) {
		return LockScopes.isOwnedByThread(lock) && request.keys().contains(lock.key()) && lock.isHeld();
	}

}
