package io.distlock.spring;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.distlock.LockRequest;

/**
 * Which annotated methods run inside each other on a thread, so that {@link LockOrders}
 * can tell whether their locks are always taken in the same order.
 */
final class NestedLocks {

	private final ThreadLocal<@Nullable Level> innermost = new ThreadLocal<>();

	private final LockOrders orders = new LockOrders();

	/** Before a lock is waited for: afterwards may be too late to tell. */
	void before(LockedMethod method, LockRequest request) {
		Level outer = this.innermost.get();
		if (outer == null || request.waitTime().filter(Duration.ZERO::equals).isPresent()) {
			return;
		}
		// A lock that this thread has already is not waited for.
		for (Level level = outer; level != null; level = level.outer()) {
			if (level.key().equals(request.key())) {
				return;
			}
		}
		for (Level level = outer; level != null; level = level.outer()) {
			this.orders.taken(level.method(), level.key(), method, request.key());
		}
	}

	/** While a body runs under its lock. */
	Level enter(LockedMethod method, String key) {
		Level level = new Level(this, method, key, this.innermost.get());
		this.innermost.set(level);
		return level;
	}

	private void leave(@Nullable Level outer) {
		if (outer != null) {
			this.innermost.set(outer);
		}
		else {
			this.innermost.remove();
		}
	}

	/**
	 * A method that runs under its lock.
	 *
	 * @param owner of the level
	 * @param method the method
	 * @param key of its lock
	 * @param outer the method that called it, if under a lock as well
	 */
	record Level(NestedLocks owner, LockedMethod method, String key, @Nullable Level outer) implements AutoCloseable {

		@Override
		public void close() {
			this.owner.leave(this.outer);
		}

	}

}
