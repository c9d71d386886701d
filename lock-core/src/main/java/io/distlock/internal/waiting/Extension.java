package io.distlock.internal.waiting;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import io.distlock.LockOptions;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.time.LeaseTerm;
import org.jspecify.annotations.Nullable;

/**
 * The wait of an owner that wants its hold to last for some time from now. The wait ends
 * once the store has extended the lease, or when the hold ends.
 */
public final class Extension extends Waiter implements Runnable {

	private final Hold hold;

	private final @Nullable Thread caller;

	private final CompletableFuture<@Nullable Void> done;

	private final EngineContext engine;

	/**
	 * Creates an extension. It waits no longer than the store may take to answer.
	 * @param hold what to extend
	 * @param atLeast how long it must last from now
	 * @param caller the thread that will await it, or {@code null}
	 * @param engine what all keys share
	 */
	public Extension(Hold hold, Duration atLeast, @Nullable Thread caller, EngineContext engine) {
		super(Owner.handle(new AcquireOptions(new LeaseTerm(atLeast, false), hold.sharing(), engine.timeoutNanos(), "",
				LockOptions.NONE)), engine.now());
		this.hold = hold;
		this.caller = caller;
		this.done = engine.newFuture();
		this.engine = engine;
	}

	/** Returns the hold that is to last longer. */
	public Hold hold() {
		return this.hold;
	}

	/**
	 * Returns whether the answer to a command extends the hold.
	 * @param sentAt when the command was sent
	 * @param requested the term that the command requested
	 */
	boolean isAnsweredBy(long sentAt, Duration requested) {
		return waited(sentAt) >= 0 && requested.compareTo(term().duration()) >= 0;
	}

	@Override
	boolean needsTimeout() {
		return false;
	}

	@Override
	void wake() {
		if (this.caller != null) {
			LockSupport.unpark(this.caller);
		}
		else {
			// This object is the callback: there may be no memory for another one.
			this.engine.callBack(this);
		}
	}

	/** Completes the stage with the outcome. */
	@Override
	public void run() {
		if (outcome() instanceof Outcome.Failed failed) {
			this.done.completeExceptionally(failed.failure());
		}
		else {
			this.done.complete(null);
		}
	}

	/**
	 * Returns the answer, for callers that must not block.
	 * @return completes on a thread of callbacks
	 */
	public CompletableFuture<@Nullable Void> done() {
		return this.done;
	}

	/**
	 * Waits for the answer on the given thread, for no longer than the command timeout.
	 * An interrupt is restored afterwards.
	 * @param queue where it waits
	 * @return how it ended
	 */
	public Outcome await(QueueOwner queue) {
		boolean interrupted = false;
		while (outcome() == null) {
			long left = remaining(this.engine.now());
			if (left <= 0 && queue.cancel(this)) {
				break;
			}
			this.engine.clock().park(Math.max(1, left));
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		Outcome ended = outcome();
		return (ended == null || ended instanceof Outcome.Cancelled)
				? new Outcome.Failed(this.engine.messages().unanswered(this.hold.key(), null)) : ended;
	}

}
