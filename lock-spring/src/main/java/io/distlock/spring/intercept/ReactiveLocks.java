package io.distlock.spring.intercept;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.spring.ReactiveLockContext;

/**
 * The locks of one subscription, innermost first, as its Reactor context carries them.
 * During the subscription to a body, the thread knows the locks too. A transaction that
 * begins then checks them when it commits.
 *
 * @param entered one handle for each method, which combines the locks of a method with
 * several
 */
record ReactiveLocks(List<LockHandle> entered) {

	static final ReactiveLocks NONE = new ReactiveLocks(List.of());

	private static final ThreadLocal<@Nullable ReactiveLocks> SUBSCRIBING = new ThreadLocal<>();

	/**
	 * Returns the locks of a context. {@link ReactiveLockContext} reads them from there.
	 */
	static ReactiveLocks of(ContextView context) {
		List<LockHandle> entered = context.getOrDefault(ReactiveLockContext.class, List.of());
		return entered.isEmpty() ? NONE : new ReactiveLocks(entered);
	}

	Context writeTo(Context context) {
		return context.put(ReactiveLockContext.class, this.entered);
	}

	ReactiveLocks with(LockHandle innermost) {
		List<LockHandle> longer = new ArrayList<>(this.entered.size() + 1);
		longer.add(innermost);
		longer.addAll(this.entered);
		return new ReactiveLocks(List.copyOf(longer));
	}

	/** Returns each lock separately. */
	List<LockHandle> all() {
		return this.entered.stream().flatMap((lock) -> lock.parts().stream()).toList();
	}

	/** Checks that all locks which were not released are held. */
	void ensureHeld() {
		for (LockHandle lock : all()) {
			if (!(lock instanceof EngineHandle handle && handle.isClosed())) {
				lock.ensureHeld();
			}
		}
	}

	/** Returns the locks of the body to which this thread is subscribing. */
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
