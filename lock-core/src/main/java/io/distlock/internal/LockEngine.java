package io.distlock.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Predicate;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockListener;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.OnLost;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import org.jspecify.annotations.Nullable;

/**
 * Acquires and releases locks for one process. What happens to a key is decided in its
 * {@link LockEntry}.
 */
public final class LockEngine implements CloseableLockTemplate {

	private final EngineContext context;

	private final Releases releases;

	private final Shutdown shutdown;

	/**
	 * Creates an engine and starts its store and its housekeeper.
	 * @param store where locks are kept
	 * @param settings what requests do not say
	 * @param clock the time
	 * @param instance id among all engines of the store
	 * @param listener told what goes wrong
	 */
	public LockEngine(LockStore store, LockSettings settings, LockClock clock, String instance, LockListener listener) {
		this(new EngineContext(store, settings, clock, instance, listener));
		this.context.housekeeper().start();
	}

	/**
	 * Creates an engine and starts its store; somebody else does the housekeeping.
	 * @param context what its entries share
	 */
	LockEngine(EngineContext context) {
		this.context = context;
		this.releases = new Releases(context);
		this.shutdown = new Shutdown(context);
		context.store().start(context.instance(), new StoreEvents(context.table(), this.shutdown::finished));
	}

	@Override
	public String instance() {
		return this.context.instance();
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		if (request.keys().size() > 1) {
			return new SeveralLocks(request, this, this.context).acquire();
		}
		return handle(request, awaitInterruptibly(request));
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		if (request.keys().size() > 1) {
			return new SeveralLocks(request, this, this.context).tryAcquire();
		}
		Waiter.Outcome outcome = awaitInterruptibly(request);
		return isRefusal(outcome) ? Optional.empty() : Optional.of(handle(request, outcome));
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		if (request.keys().size() > 1) {
			return new AsyncSeveralLocks(request, this, this.context).begin();
		}
		return acquireAsync(request, this.context.wish(request));
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request, Wish wish) {
		return new AsyncAcquisition(request, wish, this, this.context).begin(this.context.table());
	}

	@Override
	public Lock getLock(String key) {
		return new ThreadLock(LockRequest.of(key), this);
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		LockRequest write = LockRequest.of(key);
		return new ThreadReadWriteLock(new ThreadLock(write.mode(LockMode.SHARED), this), new ThreadLock(write, this));
	}

	@Override
	public Duration renewalLag() {
		return this.context.renewalLag().longest(this.context.now());
	}

	@Override
	public boolean shutdown(Duration grace) {
		return this.shutdown.run(grace);
	}

	@Override
	public boolean isIdle() {
		return this.context.table().isEmpty();
	}

	private Waiter.Outcome awaitInterruptibly(LockRequest request) {
		return awaitInterruptibly(request, this.context.wish(request));
	}

	/**
	 * Waits for the lock on the calling thread, for a handle.
	 * @param request what to acquire
	 * @param wish the same, completed
	 * @return how it ended
	 */
	Waiter.Outcome awaitInterruptibly(LockRequest request, Wish wish) {
		try {
			return await(request, wish, true, false);
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
	 * @param interruptible whether an interrupt ends the wait; otherwise it is kept for
	 * later
	 * @return how it ended; the thread will unlock without a handle
	 * @throws InterruptedException if interrupted; the lock is not held
	 */
	Waiter.Outcome await(LockRequest request, long waitNanos, boolean interruptible) throws InterruptedException {
		return await(request, this.context.wish(request, waitNanos), interruptible, true);
	}

	private Waiter.Outcome await(LockRequest request, Wish wish, boolean interruptible, boolean byThread)
			throws InterruptedException {
		if (interruptible && Thread.interrupted()) {
			throw new InterruptedException();
		}
		ThreadWaiter waiter = new ThreadWaiter(wish, this.context.clock(), byThread);
		WaitingPlace place = this.context.table().join(request.key(), waiter);
		return waiter.await(place, interruptible);
	}

	/**
	 * The handle of an outcome.
	 * @param request what was to be acquired
	 * @param outcome how the waiting ended
	 * @return the handle; held
	 */
	HoldHandle handle(LockRequest request, Waiter.Outcome outcome) {
		Hold hold = hold(request, outcome);
		return new HoldHandle(hold, isShared(request), this, interrupt(request, hold));
	}

	/** One for all handles of a hold, as one interrupt is enough. */
	private @Nullable LossInterrupt interrupt(LockRequest request, Hold hold) {
		Thread owner = hold.taker().thread();
		if (owner == null || this.context.options(request).onLost() != OnLost.INTERRUPT) {
			return null;
		}
		LossInterrupt known = hold.interrupt();
		LossInterrupt interrupt = (known != null) ? known : new LossInterrupt(owner);
		interrupt.enter();
		if (known == null) {
			hold.interruptBy(interrupt);
			onLost(hold, interrupt::fire);
		}
		return interrupt;
	}

	/**
	 * Whether a hold is valid, after a look at the clocks. Once it is not, it never is.
	 */
	boolean believes(Hold hold) {
		this.context.watch().look();
		return hold.isHeld() || hold.state() == Hold.State.HELD && stillHeld(hold);
	}

	/**
	 * Whether a hold whose deadline seems to have passed is being renewed right now. If
	 * not it is lost from here on.
	 */
	private boolean stillHeld(Hold hold) {
		LockEntry entry = this.context.table().of(hold);
		return entry != null && entry.believes(hold);
	}

	/**
	 * The hold of an outcome. No body may start without one, so it fails if the process
	 * was frozen, or the machine suspended, for too long before the waiter woke.
	 * @param request what was to be acquired
	 * @param outcome how the waiting ended
	 * @return the hold; held
	 */
	Hold hold(LockRequest request, Waiter.Outcome outcome) {
		if (isRefusal(outcome)) {
			throw this.context.failures().refusal(request, outcome);
		}
		Hold hold = granted(outcome);
		if (!believes(hold)) {
			releaseAsync(hold, isShared(request));
			throw hold.lostException();
		}
		return hold;
	}

	private static boolean isShared(LockRequest request) {
		return request.mode() == LockMode.SHARED;
	}

	static boolean isRefusal(Waiter.Outcome outcome) {
		return outcome instanceof Waiter.Outcome.Busy || outcome instanceof Waiter.Outcome.Crowded;
	}

	/**
	 * The hold of an outcome that is no refusal.
	 * @param outcome how the waiting ended
	 * @return the hold
	 */
	static Hold granted(Waiter.Outcome outcome) {
		if (outcome instanceof Waiter.Outcome.Granted granted) {
			return granted.hold();
		}
		if (outcome instanceof Waiter.Outcome.Failed failed) {
			throw fresh(failed.failure());
		}
		throw new IllegalStateException("Not an outcome of waiting: " + outcome);
	}

	/**
	 * One failure may end the waiting of many threads; each gets an exception of its own.
	 */
	private static RuntimeException fresh(RuntimeException failure) {
		String message = String.valueOf(failure.getMessage());
		if (failure instanceof LockStoreException store) {
			return new LockStoreException(store.key(), message, failure.getCause());
		}
		String key = (failure instanceof LockException lock) ? lock.key() : "";
		return (failure instanceof LockLostException) ? failure : new LockException(key, message, failure.getCause());
	}

	/** Gives back one acquisition. */
	void release(Hold hold, boolean shared) {
		this.releases.release(hold, shared);
	}

	/** The same, for callers that must not block. */
	CompletionStage<@Nullable Void> releaseAsync(Hold hold, boolean shared) {
		return this.releases.releaseAsync(hold, shared);
	}

	/** The hold that the calling thread acquired in this way, if it has one. */
	Optional<Hold> heldByCaller(String key, boolean shared) {
		LockEntry entry = this.context.table().find(key);
		return (entry != null) ? entry.holdOf(Thread.currentThread(), shared) : Optional.empty();
	}

	void onLost(Hold hold, Runnable callback) {
		LockEntry entry = this.context.table().of(hold);
		if (entry != null) {
			entry.onLost(hold, callback);
		}
		else if (hold.state() == Hold.State.LOST) {
			this.context.callBack(callback);
		}
	}

	void forgetCallbacks(Hold hold, Predicate<Runnable> which) {
		LockEntry entry = this.context.table().of(hold);
		if (entry != null) {
			entry.forgetCallbacks(hold, which);
		}
	}

}
