package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockRequest;
import io.distlock.internal.key.AsyncWaiter;
import io.distlock.internal.key.EngineContext;
import io.distlock.internal.key.Hold;
import io.distlock.internal.key.ThreadWaiter;
import io.distlock.internal.key.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * Single attempts for several keys, all sent before the first answer. None of them queues
 * anywhere, so none waits for another caller.
 * <p>
 * Invariant: when it has been settled, its caller holds of these keys only those before
 * the first one that was not granted.
 */
final class JointAttempt {

	private final KeysInOrder keys;

	private final SingleLocks locks;

	private final EngineContext context;

	private final List<LockRequest> parts;

	private final List<Waiter> waiters = new ArrayList<>();

	/**
	 * Where each attempt waits, if it has joined. Without memory nothing may fail between
	 * joining and this note of it: nobody else would leave that queue.
	 */
	private final Waiter.@Nullable QueueOwner[] queues;

	/** Whether {@link #queues} is complete, and may be read by other threads. */
	private volatile boolean joined;

	private volatile boolean cancelled;

	/** How many attempts have been settled, from the first. */
	private int settled;

	JointAttempt(KeysInOrder keys, SingleLocks locks, EngineContext context) {
		this.keys = keys;
		this.locks = locks;
		this.context = context;
		this.parts = keys.batch();
		this.queues = new Waiter.QueueOwner[this.parts.size()];
	}

	/**
	 * Tries on the calling thread.
	 * @throws InterruptedException if interrupted; what was granted is being given back
	 */
	void await() throws InterruptedException {
		try {
			ThreadWaiter last = null;
			for (LockRequest part : this.parts) {
				if (last != null) {
					// A command on the caller's thread would delay the commands that
					// follow, so the caller executes that of the last key only.
					last.leaveCommands();
				}
				last = new ThreadWaiter(this.keys.trying(part), this.context.clock(), false);
				this.waiters.add(last);
			}
			join();
			if (last != null) {
				last.runTasks();
			}
			for (int i = 0; i < this.waiters.size(); i++) {
				((ThreadWaiter) this.waiters.get(i)).await(Objects.requireNonNull(this.queues[i]), true);
			}
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			abandon();
			throw ex;
		}
	}

	/**
	 * Tries without a thread. May be cancelled before and meanwhile.
	 * @param ended called once when the last attempt has ended, on a thread that may
	 * block; not called if this method throws
	 */
	void begin(Runnable ended) {
		// Starts at attempts + 1, so that it reaches zero only after all have joined.
		AtomicInteger left = new AtomicInteger(this.parts.size() + 1);
		Runnable countDown = () -> {
			if (left.decrementAndGet() == 0) {
				this.context.callBack(ended);
			}
		};
		try {
			for (LockRequest part : this.parts) {
				this.waiters.add(new AsyncWaiter(this.keys.trying(part), this.context.now(),
						(waiter, outcome) -> countDown.run()));
			}
			join();
		}
		catch (RuntimeException | Error ex) {
			abandon();
			throw ex;
		}
		countDown.run();
	}

	private void join() {
		for (int i = 0; i < this.parts.size(); i++) {
			this.queues[i] = this.locks.join(this.parts.get(i), this.waiters.get(i));
		}
		this.joined = true;
		// mutant: together-cancelled
		boolean cancelledMeanwhile = this.cancelled;
		if (cancelledMeanwhile) {
			leaveQueues();
		}
	}

	/**
	 * Cancels all attempts; one that has not started is cancelled when it starts. May be
	 * called by any thread at any time.
	 */
	void cancel() {
		this.cancelled = true;
		if (this.joined) {
			leaveQueues();
		}
	}

	private void leaveQueues() {
		for (int i = 0; i < this.queues.length; i++) {
			Waiter.QueueOwner queue = this.queues[i];
			if (queue != null) {
				queue.cancel(this.waiters.get(i));
			}
		}
	}

	/** Nobody will settle this attempt. */
	private void abandon() {
		leaveQueues();
		giveBack();
	}

	/**
	 * Keeps what was granted before the first key that was not, and gives the rest back,
	 * without waiting for the store.
	 * @return how the first attempt ended that was not granted; {@code null} if all were
	 */
	Waiter.@Nullable Outcome settle() {
		try {
			while (this.settled < this.parts.size()) {
				LockRequest part = this.parts.get(this.settled);
				Waiter waiter = this.waiters.get(this.settled);
				Waiter.Outcome outcome = waiter.outcome();
				if (!(outcome instanceof Hold)) {
					return outcome;
				}
				this.settled++;
				try {
					this.keys.taken(this.locks.handle(part, outcome));
				}
				finally {
					waiter.report(this.context.clock());
				}
			}
			return null;
		}
		finally {
			giveBack();
		}
	}

	/** Gives back all that is not settled. */
	void giveBack() {
		// mutant: together-gives-back
		int from = this.settled;
		this.settled = this.parts.size();
		for (int i = from; i < this.waiters.size(); i++) {
			Waiter waiter = this.waiters.get(i);
			if (waiter.outcome() instanceof Waiter.Outcome.Refused) {
				this.keys.refused(this.parts.get(i), waiter);
			}
			else {
				waiter.report(this.context.clock());
			}
			if (waiter.outcome() instanceof Hold hold) {
				hold.giveBack();
				this.locks.beginGiveBack(hold, waiter.shared());
			}
		}
	}

}
