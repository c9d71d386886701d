package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks for a thread, all or none. In the order of the keys, which is
 * the same in all processes, so that nobody waits for somebody who waits for him.
 */
final class SeveralLocks {

	private final LockRequest request;

	private final LockEngine engine;

	private final EngineContext context;

	private final List<HoldHandle> taken = new ArrayList<>();

	SeveralLocks(LockRequest request, LockEngine engine, EngineContext context) {
		this.request = request;
		this.engine = engine;
		this.context = context;
	}

	LockHandle acquire() {
		return takeAll(false).orElseThrow();
	}

	/** Empty if one of them is busy. */
	Optional<LockHandle> tryAcquire() {
		return takeAll(true);
	}

	private Optional<LockHandle> takeAll(boolean emptyIfBusy) {
		long giveUp = this.context.now() + this.context.wish(this.request).waitNanos();
		try {
			for (LockRequest part : this.request.parts()) {
				HoldHandle handle = take(part, Math.max(0, giveUp - this.context.now()), emptyIfBusy);
				if (handle == null) {
					giveBack(this.taken, null);
					return Optional.empty();
				}
				this.taken.add(handle);
			}
			return Optional.of(new SeveralHandles(this.taken));
		}
		catch (RuntimeException | Error ex) {
			giveBack(this.taken, ex);
			throw ex;
		}
	}

	private @Nullable HoldHandle take(LockRequest part, long waitNanos, boolean nullIfBusy) {
		Waiter.Outcome outcome = this.engine.awaitInterruptibly(part, this.context.wish(part, waitNanos));
		return (nullIfBusy && LockEngine.isRefusal(outcome)) ? null : this.engine.handle(part, outcome);
	}

	/** Last first. A loss does not matter any more: no body ran. */
	private static void giveBack(List<HoldHandle> taken, @Nullable Throwable cause) {
		for (int i = taken.size() - 1; i >= 0; i--) {
			try {
				taken.get(i).giveBack();
			}
			catch (RuntimeException ex) {
				if (cause != null) {
					cause.addSuppressed(ex);
				}
			}
		}
	}

}
