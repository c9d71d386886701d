package io.distlock.spring;

import java.util.ArrayList;
import java.util.List;

import io.distlock.LockHandle;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one subscription, innermost first, as its Reactor context carries them.
 * While a body is being subscribed to they are also known to the thread: a transaction
 * that begins then will be checked for them when it commits.
 *
 * @param all the locks
 */
record ReactiveLocks(List<LockHandle> all) {

	static final ReactiveLocks NONE = new ReactiveLocks(List.of());

	private static final ThreadLocal<@Nullable ReactiveLocks> SUBSCRIBING = new ThreadLocal<>();

	ReactiveLocks with(LockHandle innermost) {
		List<LockHandle> longer = new ArrayList<>(this.all.size() + 1);
		longer.add(innermost);
		longer.addAll(this.all);
		return new ReactiveLocks(List.copyOf(longer));
	}

	/** Those that were released are not needed any more. */
	void ensureHeld() {
		for (LockHandle lock : this.all) {
			if (!(lock instanceof SharedLock.Handle handle && handle.isClosed())) {
				lock.ensureHeld();
			}
		}
	}

	/** The locks of the body that this thread is subscribing to. */
	static ReactiveLocks subscribing() {
		ReactiveLocks current = SUBSCRIBING.get();
		return (current != null) ? current : NONE;
	}

	void whileSubscribing(Runnable subscribe) {
		ReactiveLocks outer = SUBSCRIBING.get();
		SUBSCRIBING.set(this);
		try {
			subscribe.run();
		}
		finally {
			if (outer != null) {
				SUBSCRIBING.set(outer);
			}
			else {
				SUBSCRIBING.remove();
			}
		}
	}

}
