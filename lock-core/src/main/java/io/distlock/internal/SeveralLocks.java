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
		KeysInOrder keys = new KeysInOrder(this.request, this.context);
		try {
			while (keys.hasNext()) {
				if (keys.mayTryTogether() && !Thread.currentThread().isInterrupted()) {
					tryTogether(keys);
				}
				else {
					HoldHandle handle = take(keys.first(), keys, emptyIfBusy);
					if (handle == null) {
						return Optional.empty();
					}
					this.taken.add(handle);
					keys.taken();
				}
				throwLoss();
			}
			return Optional.of(this.taken.together());
		}
		catch (LockInterruptedException ex) {
			this.taken.replaceInterrupt(ex);
			throw ex;
		}
		finally {
			keys.end();
		}
	}

	private void tryTogether(KeysInOrder keys) {
		JointAttempt attempt = new JointAttempt(keys, this.locks, this.context);
		try {
			attempt.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(keys.first().key(), ex);
		}
		Waiter.Outcome outcome = attempt.settle(this.taken);
		if (outcome instanceof Waiter.Outcome.Refused) {
			keys.refused();
		}
		else if (outcome != null) {
			SingleLocks.granted(outcome);
		}
	}

	private void throwLoss() {
		this.taken.loss().ifPresent((loss) -> {
			throw loss;
		});
	}

	private @Nullable HoldHandle take(LockRequest part, KeysInOrder keys, boolean nullIfBusy) {
		Waiter.Outcome outcome = this.locks.awaitInterruptibly(part, keys.waiting(part));
		if (outcome instanceof Waiter.Outcome.Refused) {
			throwLoss();
			if (nullIfBusy) {
				return null;
			}
		}
		return this.locks.handle(part, outcome);
	}

}
