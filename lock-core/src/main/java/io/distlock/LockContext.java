package io.distlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.distlock.support.ForeignText;

import org.jspecify.annotations.Nullable;

/**
 * Gives access to the lock that protects the code running on this thread. Use it in
 * methods to which no handle is passed:
 * {@code LockContext.current().orElseThrow().ensureHeld()}. The context is set while
 * {@link LockTemplate} runs a body ({@code execute}, {@code run}, {@code tryExecute},
 * {@code tryRun}, and the call of the function given to {@code executeAsync}), and in
 * {@link DistributedLock} methods. {@code acquire} does not set it.
 */
public final class LockContext {

	private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

	private LockContext() {
	}

	/**
	 * Returns the innermost lock of the running method.
	 * @return empty if the thread runs under no lock
	 */
	public static Optional<LockHandle> current() {
		return Optional.ofNullable(INNERMOST.get()).map((scope) -> scope.lock);
	}

	/**
	 * Returns all locks of the running method and of the methods that called it on this
	 * thread. If a method has several locks, the list contains each of them.
	 * @return innermost first; empty if the thread runs under no lock
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
	 * Returns the fencing token of the innermost lock. Use it for a write that must not
	 * happen without a token.
	 * @return a positive number below 2<sup>53</sup>
	 * @throws IllegalStateException if the thread runs under no lock, or the innermost
	 * handle stands for several locks
	 */
	public static long fencingToken() {
		Scope scope = INNERMOST.get();
		if (scope == null) {
			throw new IllegalStateException("There is no fencing token: thread '"
					+ ForeignText.nameOf(Thread.currentThread())
					+ "' runs under no lock. Was the method called from within its own bean, or is the lock switched off?");
		}
		return scope.lock.fencingToken();
	}

	static Scope enter(LockHandle lock) {
		Scope scope = scope(lock);
		scope.enter();
		return scope;
	}

	/** Returns a scope that is to be entered next. */
	static Scope scope(LockHandle lock) {
		return new Scope(lock, INNERMOST.get());
	}

	/** The scope of a lock inside the scope of an outer lock, if any. */
	static final class Scope implements AutoCloseable {

		private final LockHandle lock;

		private final @Nullable Scope outer;

		private Scope(LockHandle lock, @Nullable Scope outer) {
			this.lock = lock;
			this.outer = outer;
		}

		void enter() {
			INNERMOST.set(this);
		}

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
