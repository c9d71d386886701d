package io.distlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The lock that protects the code running on this thread, for methods that get no handle
 * passed: {@code LockContext.current().orElseThrow().ensureHeld()}. Set by
 * {@link LockTemplate#execute} and by {@link DistributedLock} methods.
 */
public final class LockContext {

	private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

	private LockContext() {
	}

	/**
	 * The innermost lock of the running method.
	 * @return empty outside {@code execute} and annotated methods
	 */
	public static Optional<LockHandle> current() {
		return Optional.ofNullable(INNERMOST.get()).map((scope) -> scope.lock);
	}

	/**
	 * All locks of the running method and of those that called it on this thread. Where a
	 * method has several, each of them.
	 * @return innermost first; empty outside {@code execute} and annotated methods
	 */
	public static List<LockHandle> all() {
		Scope scope = INNERMOST.get();
		if (scope == null) {
			return List.of();
		}
		List<LockHandle> all = new ArrayList<>(2);
		for (; scope != null; scope = scope.outer) {
			all.addAll(scope.lock.parts());
		}
		return all;
	}

	/**
	 * The fencing token of the innermost lock, for a write that must not happen without
	 * one.
	 * @return a positive number below 2^53
	 * @throws IllegalStateException outside {@code execute} and annotated methods, and
	 * where there are several locks
	 */
	public static long fencingToken() {
		Scope scope = INNERMOST.get();
		if (scope == null) {
			throw new IllegalStateException("There is no fencing token: thread '" + Thread.currentThread().getName()
					+ "' runs under no lock. Was the method called from within its own bean, or is the lock switched off?");
		}
		return scope.lock.fencingToken();
	}

	/**
	 * Makes a lock the current one of this thread. For interceptors; users have no need
	 * to call it.
	 * @param lock the lock
	 * @return to be closed on the same thread, innermost first
	 */
	public static Scope enter(LockHandle lock) {
		Scope scope = new Scope(lock, INNERMOST.get());
		INNERMOST.set(scope);
		return scope;
	}

	/** The time during which a lock is the current one. */
	public static final class Scope implements AutoCloseable {

		private final LockHandle lock;

		private final @Nullable Scope outer;

		private Scope(LockHandle lock, @Nullable Scope outer) {
			this.lock = lock;
			this.outer = outer;
		}

		/** Makes the outer lock, if any, the current one again. */
		@Override
		public void close() {
			if (this.outer != null) {
				INNERMOST.set(this.outer);
			}
			else {
				INNERMOST.remove();
			}
		}

	}

}
