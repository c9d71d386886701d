package io.distlock.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.OnLost;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.LossInterrupt;
import io.distlock.support.KeyText;
import io.distlock.support.StackReserve;
import org.jspecify.annotations.Nullable;

/** One acquisition of a hold, as its user sees it. */
final class HoldHandle implements EngineHandle {

	/** Saves one object for each acquisition compared with an {@code AtomicInteger}. */
	private static final AtomicIntegerFieldUpdater<HoldHandle> CLOSED = AtomicIntegerFieldUpdater
		.newUpdater(HoldHandle.class, "closed");

	private static final Closing NOTHING_TO_AWAIT = () -> {
	};

	private final Hold hold;

	private final boolean shared;

	private final SingleLocks locks;

	private final @Nullable LossInterrupt interrupt;

	private volatile int closed;

	/** Whether a callback was registered. */
	private volatile boolean watched;

	/**
	 * Creates a handle.
	 * @param hold the hold
	 * @param shared whether the hold was acquired in SHARED mode, possibly by the
	 * exclusive owner
	 * @param locks where to release it
	 * @param interrupt interrupts the body on loss; it already knows that the body began
	 */
	HoldHandle(Hold hold, boolean shared, SingleLocks locks, @Nullable LossInterrupt interrupt) {
		this.hold = hold;
		this.shared = shared;
		this.locks = locks;
		this.interrupt = interrupt;
	}

	@Override
	public String key() {
		return this.hold.key();
	}

	@Override
	public long fencingToken() {
		return this.hold.fencingToken();
	}

	@Override
	public boolean isHeld() {
		return !isClosed() && this.locks.confirmHeld(this.hold);
	}

	@Override
	public Duration remaining() {
		while (isHeld()) {
			long left = this.hold.remaining();
			if (left > 0) {
				return Duration.ofNanos(left);
			}
		}
		return Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		boolean held = !isClosed() && this.locks.confirmHeld(this.hold);
		// Checked again: another thread may have closed the handle meanwhile.
		if (isClosed()) {
			throw new IllegalStateException("Lock '" + KeyText.of(key()) + "' was released by closing this handle");
		}
		if (!held) {
			throw this.hold.lostException();
		}
	}

	@Override
	public void extend(Duration atLeast) {
		LockRequest.of(key()).leaseFor(atLeast);
		ensureHeld();
		this.locks.extend(this.hold, atLeast);
	}

	@Override
	public CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		LockRequest.of(key()).leaseFor(atLeast);
		try {
			ensureHeld();
		}
		catch (LockLostException | IllegalStateException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return this.locks.extendAsync(this.hold, atLeast);
	}

	@Override
	public void holdAtLeast(Duration atLeast) {
		LockRequest.of(key()).holdAtLeast(atLeast);
		ensureHeld();
		this.locks.keep(this.hold, atLeast);
	}

	/** Returns the loss of the hold, if the hold is over. */
	Optional<LockLostException> loss() {
		return this.locks.confirmHeld(this.hold) ? Optional.empty() : Optional.of(this.hold.lostException());
	}

	@Override
	public boolean isInterruptedByLoss() {
		return this.interrupt != null && this.interrupt.fired();
	}

	@Override
	public OnLost reactionToLoss() {
		OnLost onLost = this.hold.owner().options().onLost();
		return (onLost != null) ? onLost : OnLost.REPORT;
	}

	@Override
	public boolean isClosed() {
		return this.closed != 0;
	}

	@Override
	public boolean isOwnedByThread() {
		return this.hold.owner().thread() != null;
	}

	@Override
	public Optional<LockHandle> fork(LockRequest request) {
		return isOwnedByThread() ? Optional.empty() : this.locks.fork(this.hold, request, isClosed());
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		LossCallback registered = new LossCallback(this, callback);
		if (!isClosed()) {
			this.watched = true;
			this.locks.onLost(this.hold, registered);
		}
		return registered;
	}

	/** Forgets the selected callbacks of this handle. */
	private void forget(Predicate<LossCallback> which) {
		this.locks.forgetCallbacks(this.hold,
				(callback) -> callback instanceof LossCallback own && own.handle == this && which.test(own));
	}

	@Override
	public void close() {
		if (markClosed()) {
			this.locks.release(this.hold, this.shared);
		}
	}

	@Override
	public Closing beginClose() {
		return markClosed() ? this.locks.beginRelease(this.hold, this.shared) : NOTHING_TO_AWAIT;
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return markClosed() ? this.locks.releaseAsync(this.hold, this.shared) : CompletableFuture.completedFuture(null);
	}

	@Override
	public void markUnused() {
		this.hold.giveBack();
	}

	/**
	 * Lets the hold end with its lease, because an error keeps its owner from closing
	 * this handle. Needs neither memory nor a lock.
	 */
	void abandon() {
		this.hold.abandon();
	}

	/** Closes the handle before any body has run, so the minimum hold does not apply. */
	CompletionStage<@Nullable Void> giveBackAsync() {
		markUnused();
		return closeAsync();
	}

	private boolean markClosed() {
		boolean first = CLOSED.compareAndSet(this, 0, 1);
		if (first) {
			try {
				leaveBody();
			}
			catch (RuntimeException | Error ex) {
				// The handle counts as closed, so no later call would release the hold.
				this.hold.abandon();
				throw ex;
			}
		}
		return first;
	}

	private void leaveBody() {
		StackReserve.require();
		if (this.interrupt != null) {
			this.interrupt.leave();
		}
		if (this.watched) {
			forget((callback) -> true);
		}
	}

	@Override
	public String toString() {
		return "LockHandle[" + KeyText.of(key()) + ", token " + fencingToken() + (isHeld() ? ", held]" : ", not held]");
	}

	/** A callback that was registered by a handle and ends with it. */
	private static final class LossCallback implements Runnable, Registration {

		private final HoldHandle handle;

		private final Consumer<LockHandle> callback;

		private volatile boolean ended;

		LossCallback(HoldHandle handle, Consumer<LockHandle> callback) {
			this.handle = handle;
			this.callback = callback;
		}

		@Override
		public void run() {
			if (!this.ended && !this.handle.isClosed()) {
				this.callback.accept(this.handle);
			}
		}

		@Override
		public void close() {
			this.ended = true;
			this.handle.forget((callback) -> callback == this);
		}

	}

}
