package io.distlock.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.OnLost;
import io.distlock.ReleaseMode;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.LossInterrupt;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Semaphore;
import io.distlock.internal.request.Release;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.Extension;
import io.distlock.internal.waiting.ThreadWaiter;
import io.distlock.internal.waiting.Waiter;
import io.distlock.observe.RefusalReason;
import io.distlock.spi.Sharing;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Acquires and releases locks of one key at a time, for handles and for the views that
 * look like locks of the JDK. The {@link LockEntry} of a key decides what happens to the
 * key.
 */
final class SingleLocks {

	private final LockTable table;

	private final EngineContext context;

	SingleLocks(LockTable table, EngineContext context) {
		this.table = table;
		this.context = context;
	}

	/** Acquires a lock for the calling thread, or throws an exception. */
	LockHandle acquire(LockRequest request) {
		return handle(request, awaitInterruptibly(request, this.context.defaults().complete(request)));
	}

	/**
	 * Acquires a lock for the calling thread. The result is empty if the lock is busy.
	 */
	Optional<LockHandle> tryAcquire(LockRequest request) {
		Outcome outcome = awaitInterruptibly(request, this.context.defaults().complete(request));
		return (outcome instanceof Outcome.Refused) ? Optional.empty() : give(request, outcome, Optional::of);
	}

	/**
	 * Acquires a lock without a thread. The future completes on a thread where
	 * continuations may block.
	 */
	CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireOptions options) {
		CompletableFuture<LockHandle> future = this.context.newFuture();
		AsyncWaiter waiter = new AsyncWaiter(options, this.context.now(), new Delivery(request, future));
		// If the caller completes or cancels the future, the wait ends.
		future.whenComplete((handle, failure) -> this.table.cancel(request.key(), waiter));
		try {
			this.table.join(request.key(), waiter);
			return future;
		}
		catch (RuntimeException | Error ex) {
			waiter.abandon();
			future.cancel(false);
			waiter.reportOutcome(this.context.clock());
			throw ex;
		}
	}

	/**
	 * Waits for the lock on the calling thread, for a handle.
	 * @param request what to acquire
	 * @param options the completed request
	 * @return how the waiting ended
	 */
	Outcome awaitInterruptibly(LockRequest request, AcquireOptions options) {
		try {
			return await(request.key(), options, true, false);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(request.key(), ex);
		}
	}

	/**
	 * Waits for the lock on the calling thread.
	 * @param request what to acquire
	 * @param waitNanos how long to wait
	 * @param interruptible whether an interrupt ends the wait; otherwise it is restored
	 * afterwards
	 * @return how the waiting ended. The thread will unlock without a handle
	 * @throws InterruptedException if interrupted; the lock is not held
	 */
	Outcome await(LockRequest request, long waitNanos, boolean interruptible) throws InterruptedException {
		return await(request.key(), this.context.defaults().complete(request, waitNanos), interruptible, true);
	}

	private Outcome await(String key, AcquireOptions options, boolean interruptible, boolean byThread)
			throws InterruptedException {
		if (interruptible && Thread.interrupted()) {
			options.observed().refused(RefusalReason.INTERRUPTED, null, null, 0);
			throw new InterruptedException();
		}
		ThreadWaiter waiter = new ThreadWaiter(Thread.currentThread(), options, this.context.clock(), byThread);
		try {
			try {
				return waiter.await(this.table.join(key, waiter), interruptible);
			}
			catch (RuntimeException | Error ex) {
				waiter.abandon();
				// The waiter may have accepted a command that only this thread executes.
				waiter.runTasks();
				throw ex;
			}
			finally {
				waiter.reportOutcome(this.context.clock());
			}
		}
		catch (RuntimeException | Error ex) {
			// This applies even if only the report failed.
			waiter.abandon();
			throw ex;
		}
	}

	/**
	 * Returns the handle of an outcome.
	 * @param request what was to be acquired
	 * @param outcome how the waiting ended
	 * @return the handle; held
	 */
	HoldHandle handle(LockRequest request, Outcome outcome) {
		return give(request, outcome, Function.identity());
	}

	/**
	 * Gives the handle of an outcome away. Until it is given away, an error abandons the
	 * hold, because nobody could release it.
	 * @param <T> what the caller gets
	 * @param request what was to be acquired
	 * @param outcome how the waiting ended
	 * @param given turns the handle into what the caller gets; created in advance,
	 * because there may be no memory later
	 * @return what the caller gets; held
	 */
	private <T> T give(LockRequest request, Outcome outcome, Function<? super HoldHandle, T> given) {
		Hold hold = hold(request, outcome);
		LossInterrupt entered = null;
		try {
			LossInterrupt interrupt = interrupt(request, hold);
			if (interrupt != null) {
				interrupt.enter();
				entered = interrupt;
				register(interrupt, hold);
			}
			return given.apply(new HoldHandle(hold, isShared(request), this, interrupt));
		}
		catch (RuntimeException | Error ex) {
			hold.abandon();
			if (entered != null) {
				entered.leave();
			}
			throw ex;
		}
	}

	/**
	 * Creates a further handle on a hold that no thread owns.
	 * @param hold the hold
	 * @param request the nested request
	 * @param closed whether the handle to fork was closed
	 * @return the handle, empty if the hold was released or the request is for another
	 * permit
	 */
	Optional<LockHandle> fork(Hold hold, LockRequest request, boolean closed) {
		Sharing held = hold.sharing();
		Sharing wanted = Sharing.of(request);
		if (held instanceof Sharing.Permit && wanted instanceof Sharing.Permit) {
			return Optional.empty();
		}
		boolean shared = isShared(request);
		if (confirmHeld(hold)) {
			if (!held.equals(wanted) && !(held instanceof Sharing.Exclusive && wanted instanceof Sharing.Shared)) {
				throw this.context.messages().heldInAnotherMode(request.key());
			}
			LockEntry entry = this.table.of(hold);
			// Created in advance: once the hold is entered, nothing may fail.
			Optional<LockHandle> further = Optional.of(new HoldHandle(hold, shared, this, null));
			if (entry != null && enter(entry, hold, shared)) {
				return further;
			}
		}
		if (hold.state() == Hold.State.LOST && !closed) {
			throw hold.lostException();
		}
		return Optional.empty();
	}

	private static boolean enter(LockEntry entry, Hold hold, boolean shared) {
		try {
			return entry.ask((holds) -> holds.enter(hold, shared));
		}
		catch (RuntimeException | Error ex) {
			// It may count as entered, and nobody gets the handle.
			hold.abandon();
			throw ex;
		}
	}

	/** Returns one interrupt for all handles of a hold. */
	private @Nullable LossInterrupt interrupt(LockRequest request, Hold hold) {
		Thread owner = hold.owner().thread();
		if (owner == null || this.context.defaults().onLost(request) != OnLost.INTERRUPT) {
			return null;
		}
		LossInterrupt known = hold.interrupt();
		return (known != null) ? known : new LossInterrupt(owner);
	}

	/**
	 * Registers an interrupt, unless the hold has one already. The callback comes first:
	 * a hold must never have an interrupt that its loss does not fire.
	 */
	private void register(LossInterrupt interrupt, Hold hold) {
		if (hold.interrupt() == null) {
			onLost(hold, interrupt::fire);
			hold.interruptBy(interrupt);
		}
	}

	/**
	 * Checks the clocks, then returns whether a hold is valid. A hold that is not valid
	 * never becomes valid again.
	 */
	boolean confirmHeld(Hold hold) {
		this.context.watch().check();
		return hold.isHeld() || hold.state() == Hold.State.HELD && stillHeld(hold);
	}

	/**
	 * Returns whether a hold is still held although its deadline seemed to have passed,
	 * because a renewal has just been confirmed. If not, the hold is lost from here on.
	 */
	private boolean stillHeld(Hold hold) {
		LockEntry entry = this.table.of(hold);
		return entry != null && entry.ask((holds) -> holds.isHeld(hold));
	}

	/**
	 * Returns the hold of an outcome. No body may start without a valid hold. So this
	 * method throws if the process was frozen, or the machine suspended, for too long
	 * before the waiter woke.
	 * @param request what was to be acquired
	 * @param outcome how the waiting ended
	 * @return the hold; held
	 */
	Hold hold(LockRequest request, Outcome outcome) {
		if (outcome instanceof Outcome.Refused refused) {
			throw this.context.messages().refusal(request, refused);
		}
		Hold hold = granted(outcome);
		boolean held;
		try {
			held = confirmHeld(hold);
		}
		catch (RuntimeException | Error ex) {
			hold.abandon();
			throw ex;
		}
		if (!held) {
			releaseAsync(hold, isShared(request));
			throw hold.lostException();
		}
		return hold;
	}

	private static boolean isShared(LockRequest request) {
		return request.mode() == LockMode.SHARED;
	}

	/**
	 * Returns the hold of an outcome that is no refusal.
	 * @param outcome how the waiting ended
	 * @return the hold
	 */
	static Hold granted(Outcome outcome) {
		if (outcome instanceof Hold hold) {
			return hold;
		}
		if (outcome instanceof Outcome.Failed failed) {
			throw fresh(failed.failure());
		}
		throw new IllegalStateException("Not an outcome of waiting: " + outcome);
	}

	/**
	 * Returns a new exception for a failure. One failure may end the waiting of many
	 * threads, and each thread needs a separate exception.
	 */
	private static RuntimeException fresh(RuntimeException failure) {
		String message = String.valueOf(failure.getMessage());
		if (failure instanceof TransientRefusalException store) {
			return new TransientRefusalException(store.key(), message, failure.getCause());
		}
		if (failure instanceof TransientStoreException store) {
			return new TransientStoreException(store.key(), message, failure.getCause());
		}
		if (failure instanceof LockStoreException store) {
			return new LockStoreException(store.key(), message, failure.getCause());
		}
		String key = (failure instanceof LockException lock) ? lock.key() : "";
		return (failure instanceof LockLostException) ? failure : new LockException(key, message, failure.getCause());
	}

	/**
	 * Releases one acquisition. After the last release the caller waits for the
	 * confirmation of the store, unless the settings say otherwise.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @throws LockLostException if it was lost
	 */
	void release(Hold hold, boolean shared) {
		begin(hold, shared, isAwaited() ? Release.Mode.AWAITED : Release.Mode.SENT).await();
	}

	/**
	 * Begins to release one of several locks. The caller waits once all releases have
	 * begun.
	 */
	Release beginRelease(Hold hold, boolean shared) {
		return begin(hold, shared, isAwaited() ? Release.Mode.AWAITED_LATER : Release.Mode.SENT);
	}

	private boolean isAwaited() {
		return this.context.settings().release() != ReleaseMode.SENT;
	}

	/** Releases one acquisition, for callers that must not block. */
	CompletionStage<@Nullable Void> releaseAsync(Hold hold, boolean shared) {
		boolean awaited = isAwaited();
		Release release = begin(hold, shared, awaited ? Release.Mode.ASYNC : Release.Mode.SENT);
		if (release.progress() == Release.Progress.LOST) {
			return CompletableFuture.failedFuture(hold.lostException());
		}
		return (awaited && release.progress() == Release.Progress.SENT) ? release.done()
				: CompletableFuture.completedFuture(null);
	}

	private Release begin(Hold hold, boolean shared, Release.Mode mode) {
		Release release = null;
		try {
			Semaphore semaphore = hold.owner().nests() ? null : this.table.semaphore(hold.key());
			if (semaphore != null) {
				semaphore.handOff(hold);
			}
			release = new Release(hold, shared, mode, this.context,
					(mode == Release.Mode.ASYNC) ? this.context.newFuture() : new CompletableFuture<>());
			this.table.release(hold.key(), hold.request(), release);
			// The command is executed before the report: other commands for the lock may
			// wait for it, and an observer may block.
			release.runTasks();
			release.reportRelease();
			return release;
		}
		catch (RuntimeException | Error ex) {
			// The handle is already closed, so no later close releases the hold. Without
			// this call the lock would be renewed for ever.
			hold.abandon();
			if (release != null) {
				release.runTasks();
			}
			throw ex;
		}
	}

	/**
	 * Makes a hold last for some time from now, on the calling thread.
	 * @param hold the hold
	 * @param atLeast for how long
	 */
	void extend(Hold hold, Duration atLeast) {
		LockEntry entry = this.table.of(hold);
		if (entry == null) {
			throw this.context.messages().over(hold);
		}
		Extension extension = new Extension(hold, atLeast, Thread.currentThread(), this.context);
		entry.tell((holds) -> holds.extend(extension));
		if (extension.await(entry) instanceof Outcome.Failed failed) {
			throw (failed.failure() instanceof IllegalStateException released) ? released : fresh(failed.failure());
		}
	}

	/** Makes a hold last for some time from now, for callers that must not block. */
	CompletionStage<@Nullable Void> extendAsync(Hold hold, Duration atLeast) {
		LockEntry entry = this.table.of(hold);
		if (entry == null) {
			return CompletableFuture.failedFuture(this.context.messages().over(hold));
		}
		Extension extension = new Extension(hold, atLeast, null, this.context);
		entry.tell((holds) -> holds.extend(extension));
		return extension.done();
	}

	/** Keeps a lock taken for some time from now, also after its release. */
	void keep(Hold hold, Duration atLeast) {
		LockEntry entry = this.table.of(hold);
		if (entry == null || !entry.ask((holds) -> holds.keep(hold, atLeast))) {
			throw this.context.messages().over(hold);
		}
	}

	/** Returns how often the calling thread holds a lock. */
	int holdCount(String key) {
		this.context.watch().check();
		LockEntry entry = this.table.find(key);
		return (entry != null) ? entry.ask((holds) -> holds.countOf(Thread.currentThread())) : 0;
	}

	/**
	 * Returns the hold that the calling thread acquired in this way, if it has one.
	 * Allocates nothing, because the thread tries only once to release the hold.
	 */
	@Nullable Hold heldByCaller(String key, boolean shared) {
		LockEntry entry = this.table.find(key);
		return (entry != null) ? entry.ownedBy(Thread.currentThread(), shared) : null;
	}

	void onLost(Hold hold, Runnable callback) {
		LockEntry entry = this.table.of(hold);
		if (entry != null) {
			entry.tell((holds) -> holds.onLost(hold, callback));
		}
		else if (hold.state() == Hold.State.LOST) {
			this.context.callBack(callback);
		}
	}

	void forgetCallbacks(Hold hold, Predicate<Runnable> which) {
		LockEntry entry = this.table.of(hold);
		if (entry != null) {
			entry.tell((holds) -> hold.forgetCallbacks(which));
		}
	}

	/**
	 * Delivers the outcome of a wait without a thread. It is created before the wait,
	 * because there may be no memory when the wait ends.
	 */
	private final class Delivery implements BiConsumer<Waiter, Outcome>, Runnable {

		private final LockRequest request;

		private final CompletableFuture<LockHandle> future;

		/** Set once, before this is run. */
		private @Nullable Waiter waiter;

		Delivery(LockRequest request, CompletableFuture<LockHandle> future) {
			this.request = request;
			this.future = future;
		}

		@Override
		public void accept(Waiter ended, Outcome outcome) {
			this.waiter = ended;
			SingleLocks.this.context.callBack(this);
		}

		@Override
		public void run() {
			Waiter ended = Objects.requireNonNull(this.waiter);
			try {
				ended.reportOutcome(SingleLocks.this.context.clock());
			}
			finally {
				deliver(ended);
			}
		}

		private void deliver(Waiter ended) {
			try {
				HoldHandle handle = handle(this.request, Objects.requireNonNull(ended.outcome()));
				if (!this.future.complete(handle)) {
					handle.giveBackAsync();
				}
			}
			catch (RuntimeException | Error ex) {
				ended.abandon();
				this.future.completeExceptionally(ex);
			}
		}

	}

}
