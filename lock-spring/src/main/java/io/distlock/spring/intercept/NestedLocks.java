package io.distlock.spring.intercept;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.spring.definition.LockedMethod;

/**
 * Knows which annotated methods run inside each other on a thread, so that
 * {@link LockOrders} can detect locks that are taken in different orders.
 */
final class NestedLocks {

	private final ThreadLocal<@Nullable Level> innermost = new ThreadLocal<>();

	private final LockOrders orders = new LockOrders();

	/** Called before the wait, which may never end if two callers wait for each other. */
	void before(LockedMethod method, LockRequest request) {
		Level outer = this.innermost.get();
		if (outer == null || request.waitTime().filter(Duration.ZERO::equals).isPresent()) {
			return;
		}
		// This thread does not wait for a lock that it already has.
		Set<String> wanted = new TreeSet<>(request.keys());
		for (Level level = outer; level != null; level = level.outer()) {
			wanted.removeAll(level.keys());
		}
		if (!wanted.isEmpty()) {
			List<String> keys = List.copyOf(wanted);
			for (Level level = outer; level != null; level = level.outer()) {
				this.orders.taken(level.method(), level.keys(), method, keys);
			}
		}
	}

	/** Enters a level. The caller closes it when the body has ended. */
	Level enter(LockedMethod method, LockHandle lock) {
		Level level = new Level(this, method, keys(lock.parts()), this.innermost.get());
		this.innermost.set(level);
		return level;
	}

	/** Returns the keys in order. Most calls have one lock and need no sorting. */
	private static List<String> keys(List<LockHandle> parts) {
		return (parts.size() == 1) ? List.of(parts.get(0).key())
				: parts.stream().map(LockHandle::key).sorted().toList();
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
	 * @param owner the owner of the level
	 * @param method the method
	 * @param keys the keys of its lock, in order
	 * @param outer the level of the calling method, if that also runs under a lock
	 */
	record Level(NestedLocks owner, LockedMethod method, List<String> keys,
			@Nullable Level outer) implements AutoCloseable {

		@Override
		public void close() {
			this.owner.leave(this.outer);
		}

	}

}
