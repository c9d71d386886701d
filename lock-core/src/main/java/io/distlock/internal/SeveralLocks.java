package io.distlock.internal;

import java.util.Optional;

import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Acquires all of several locks or none, for a thread. The locks are acquired one after
 * the other, in the order of their keys.
 */
final class SeveralLocks {

	private final SingleLocks locks;

	private final KeysInOrder keys;

	SeveralLocks(LockRequest request, SingleLocks locks, EngineContext context) {
		this.locks = locks;
		this.keys = new KeysInOrder(request, context);
	}

	LockHandle acquire() {
		return takeAll(false).orElseThrow();
	}

	/** Acquires all locks. The result is empty if one of them is busy. */
	Optional<LockHandle> tryAcquire() {
		return takeAll(true);
	}

	private Optional<LockHandle> takeAll(boolean emptyIfBusy) {
		try {
			Optional<LockHandle> all = takeEach(emptyIfBusy);
			if (all.isEmpty()) {
				this.keys.giveBack();
			}
			return all;
		}
		catch (LockStoreException ex) {
			// The caller has already waited for the store.
			this.keys.beginGiveBack();
			throw ex;
		}
		catch (RuntimeException ex) {
			this.keys.giveBack();
			throw ex;
		}
		catch (Error ex) {
			this.keys.abandon();
			this.keys.giveBack();
			throw ex;
		}
	}

	private Optional<LockHandle> takeEach(boolean emptyIfBusy) {
		try {
			while (this.keys.hasNext()) {
				HoldHandle handle = take(this.keys.next(), emptyIfBusy);
				if (handle == null) {
					return Optional.empty();
				}
				this.keys.taken(handle);
				throwLoss();
			}
			return Optional.of(this.keys.asOne());
		}
		catch (LockInterruptedException ex) {
			this.keys.replaceInterrupt(ex);
			throw ex;
		}
	}

	private void throwLoss() {
		this.keys.loss().ifPresent((loss) -> {
			throw loss;
		});
	}

	private @Nullable HoldHandle take(LockRequest part, boolean nullIfBusy) {
		Outcome outcome = this.locks.awaitInterruptibly(part, this.keys.options(part));
		if (outcome instanceof Outcome.Refused) {
			throwLoss();
			if (nullIfBusy) {
				return null;
			}
		}
		return this.locks.handle(part, outcome);
	}

}
