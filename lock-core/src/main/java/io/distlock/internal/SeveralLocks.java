package io.distlock.internal;

import java.util.Optional;

import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.internal.key.EngineContext;
import io.distlock.internal.key.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks for a thread, all or none, in the order of their keys. That
 * order is the same in all processes, so processes cannot wait for each other.
 */
final class SeveralLocks {

	private final LockRequest request;

	private final SingleLocks locks;

	private final EngineContext context;

	private final TakenLocks taken = new TakenLocks();

	SeveralLocks(LockRequest request, SingleLocks locks, EngineContext context) {
		this.request = request;
		this.locks = locks;
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
		try {
			Optional<LockHandle> all = takeEach(emptyIfBusy);
			if (all.isEmpty()) {
				this.taken.giveBack();
			}
			return all;
		}
		catch (LockStoreException ex) {
			// The caller has waited for the store already.
			this.taken.beginGiveBack();
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			this.taken.giveBack();
			throw ex;
		}
	}

	private Optional<LockHandle> takeEach(boolean emptyIfBusy) {
		long giveUp = this.context.now() + this.context.waitNanos(this.request);
		try {
			for (String key : this.request.keys()) {
				LockRequest part = this.request.forKey(key);
				HoldHandle handle = take(part, Math.max(0, giveUp - this.context.now()), emptyIfBusy);
				if (handle == null) {
					return Optional.empty();
				}
				this.taken.add(handle);
				throwLoss();
			}
			return Optional.of(this.taken.together());
		}
		catch (LockInterruptedException ex) {
			this.taken.replaceInterrupt(ex);
			throw ex;
		}
	}

	private void throwLoss() {
		this.taken.loss().ifPresent((loss) -> {
			throw loss;
		});
	}

	private @Nullable HoldHandle take(LockRequest part, long waitNanos, boolean nullIfBusy) {
		Waiter.Outcome outcome = this.locks.awaitInterruptibly(part, this.context.acquireOptions(part, waitNanos));
		if (outcome instanceof Waiter.Outcome.Refused) {
			throwLoss();
			if (nullIfBusy) {
				return null;
			}
		}
		return this.locks.handle(part, outcome);
	}

}
