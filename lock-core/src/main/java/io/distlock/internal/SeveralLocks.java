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
 * Acquires several locks for a thread, all or none, in the order of their keys: at once
 * as long as they are free, and one after the other if one has to be waited for.
 */
final class SeveralLocks {

	private final SingleLocks locks;

	private final EngineContext context;

	private final KeysInOrder keys;

	SeveralLocks(LockRequest request, SingleLocks locks, EngineContext context) {
		this.locks = locks;
		this.context = context;
		this.keys = new KeysInOrder(request, context);
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
				this.keys.giveBack();
			}
			return all;
		}
		catch (LockStoreException ex) {
			// The caller has waited for the store already.
			this.keys.beginGiveBack();
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			this.keys.giveBack();
			throw ex;
		}
	}

	private Optional<LockHandle> takeEach(boolean emptyIfBusy) {
		try {
			while (this.keys.hasNext()) {
				if (this.keys.mayTryBatch() && !Thread.currentThread().isInterrupted()) {
					tryTogether();
				}
				else {
					HoldHandle handle = take(this.keys.first(), emptyIfBusy);
					if (handle == null) {
						return Optional.empty();
					}
					this.keys.taken(handle);
				}
				throwLoss();
			}
			return Optional.of(this.keys.asOne());
		}
		catch (LockInterruptedException ex) {
			this.keys.replaceInterrupt(ex);
			throw ex;
		}
		finally {
			this.keys.end();
		}
	}

	private void tryTogether() {
		JointAttempt attempt = new JointAttempt(this.keys, this.locks, this.context);
		try {
			attempt.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(this.keys.first().key(), ex);
		}
		Waiter.Outcome outcome = attempt.settle();
		if (outcome instanceof Waiter.Outcome.Refused) {
			this.keys.refused();
		}
		else if (outcome != null) {
			SingleLocks.granted(outcome);
		}
	}

	private void throwLoss() {
		this.keys.loss().ifPresent((loss) -> {
			throw loss;
		});
	}

	private @Nullable HoldHandle take(LockRequest part, boolean nullIfBusy) {
		Waiter.Outcome outcome = this.locks.awaitInterruptibly(part, this.keys.waiting(part));
		if (outcome instanceof Waiter.Outcome.Refused) {
			throwLoss();
			if (nullIfBusy) {
				return null;
			}
		}
		return this.locks.handle(part, outcome);
	}

}
