package io.distlock.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires and releases locks for the threads of one process: the blocking side of the
 * engine. What happens to a key is decided in its {@link LockEntry}.
 */
public final class LockEngine {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final EngineContext context;

	private final LockClock clock;

	private final Shutdown shutdown;

	/**
	 * Creates an engine and starts its store and its housekeeper.
	 * @param store where locks are kept
	 * @param settings what requests do not say
	 * @param clock the time
	 * @param instance id among all engines of the store
	 */
	public LockEngine(LockStore store, LockSettings settings, LockClock clock, String instance) {
		this.context = new EngineContext(store, settings, clock, instance);
		this.clock = clock;
		this.shutdown = new Shutdown(this.context);
		store.start(instance, new Events());
		this.context.housekeeper().start();
	}

	/**
	 * The engine's id.
	 * @return the id
	 */
	public String instance() {
		return this.context.instance();
	}

	/**
	 * Acquires or throws.
	 * @param request what to acquire
	 * @return the hold
	 */
	public LockHandle acquire(LockRequest request) {
		Duration wait = waitTime(request);
		Waiter.Outcome outcome = awaitInterruptibly(request, wait);
		if (outcome instanceof Waiter.Outcome.Busy busy) {
			throw new LockBusyException(request.key(), wait, busy.holder(), this.clock.instant());
		}
		return handle(outcome);
	}

	/**
	 * Acquires or tells that it is busy.
	 * @param request what to acquire
	 * @return the hold, or empty
	 */
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		Waiter.Outcome outcome = awaitInterruptibly(request, waitTime(request));
		return (outcome instanceof Waiter.Outcome.Busy) ? Optional.empty() : Optional.of(handle(outcome));
	}

	/**
	 * A view for code written against {@link Lock}.
	 * @param key the lock
	 * @return the view
	 */
	public Lock lock(String key) {
		return new ThreadLock(LockRequest.of(key), this);
	}

	/**
	 * Ends the engine.
	 * @param grace how long to wait for holders
	 * @return whether nothing was held any more
	 */
	public boolean shutdown(Duration grace) {
		return this.shutdown.run(grace);
	}

	/**
	 * Whether nothing of any lock is left in memory. For tests.
	 * @return {@code true} if no key is in use
	 */
	public boolean idle() {
		return this.context.table().isEmpty();
	}

	private LockHandle handle(Waiter.Outcome outcome) {
		LockHandle handle = new HoldHandle(granted(outcome), this);
		if (!handle.isHeld()) {
			// The process was frozen before this thread woke: no body may start.
			handle.close();
			handle.ensureHeld();
		}
		return handle;
	}

	private Duration waitTime(LockRequest request) {
		return request.waitTime().orElse(this.context.settings().waitTime());
	}

	private Waiter.Outcome awaitInterruptibly(LockRequest request, Duration wait) {
		try {
			return await(request, nanos(wait), true, false);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(request.key(), ex);
		}
	}

	static long nanos(Duration wait) {
		return (wait.compareTo(Duration.ofNanos(LocalDeadline.FOREVER_NANOS)) > 0) ? LocalDeadline.FOREVER_NANOS
				: wait.toNanos();
	}

	/**
	 * Waits for the lock on the calling thread.
	 * @param request what to acquire
	 * @param waitNanos how long to wait
	 * @param interruptible whether an interrupt ends the wait; otherwise it is kept for
	 * later
	 * @param byThread whether the thread will unlock without a handle
	 * @return granted, or busy
	 * @throws InterruptedException if interrupted; the lock is not held
	 */
	Waiter.Outcome await(LockRequest request, long waitNanos, boolean interruptible, boolean byThread)
			throws InterruptedException {
		if (interruptible && Thread.interrupted()) {
			throw new InterruptedException();
		}
		Waiter waiter = new Waiter(lease(request), request.caller(), this.context.now(), waitNanos, byThread);
		LockEntry entry = this.context.table().with(request.key(), (candidate) -> candidate.join(waiter));
		boolean interrupted = false;
		try {
			while (true) {
				Waiter.Outcome outcome = waiter.value();
				if (outcome != null) {
					return outcome;
				}
				park(entry, waiter);
				if (Thread.interrupted()) {
					interrupted = true;
					if (interruptible && entry.cancel(waiter)) {
						interrupted = false;
						throw new InterruptedException();
					}
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void park(LockEntry entry, Waiter waiter) {
		long left = waiter.remaining(this.context.now());
		if (left > 0) {
			this.clock.park(left);
		}
		else if (!waiter.overdue()) {
			entry.overdue(waiter);
		}
		else {
			this.clock.park(LocalDeadline.FOREVER_NANOS);
		}
	}

	private Lease lease(LockRequest request) {
		return request.leaseTime()
			.map((fixed) -> new Lease(fixed, false))
			.orElseGet(() -> new Lease(this.context.settings().leaseTime(), true));
	}

	/**
	 * The hold of an outcome that is not busy.
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
		if (failure instanceof LockStoreException) {
			return new LockStoreException(message, failure.getCause());
		}
		return (failure instanceof LockLostException) ? failure : new LockException(message, failure.getCause());
	}

	/** Gives back one acquisition and, if it was the last, waits for the confirmation. */
	void release(Hold hold) {
		LockEntry entry = this.context.table().find(hold.key());
		if (entry == null) {
			// Lost, and dropped because the owner thread had died.
			throw hold.lostException();
		}
		Release release = entry.release(hold);
		if (release instanceof Release.Lost lost) {
			throw lost.loss();
		}
		if (release instanceof Release.Sent sent) {
			awaitConfirmation(hold, sent.ending());
		}
	}

	/** The hold of the calling thread, if it has one. */
	Optional<Hold> heldByCaller(String key) {
		LockEntry entry = this.context.table().find(key);
		return (entry != null) ? entry.holdOf(Thread.currentThread()) : Optional.empty();
	}

	void onLost(Hold hold, Runnable callback) {
		LockEntry entry = this.context.table().find(hold.key());
		if (entry != null) {
			entry.onLost(hold, callback);
		}
		else if (hold.state() == Hold.State.LOST) {
			this.context.callBack(callback);
		}
	}

	private void awaitConfirmation(Hold hold, Withdrawal release) {
		long giveUp = this.context.now() + this.context.timeoutNanos();
		boolean interrupted = false;
		long left = this.context.timeoutNanos();
		while (!release.isSet() && left > 0 && !this.shutdown.finished()) {
			this.clock.park(left);
			interrupted |= Thread.interrupted();
			left = giveUp - this.context.now();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		FinishResult result = release.value();
		if (result == null) {
			logger.warn(
					"Lock '{}': the store did not confirm the release within {} ms; it is repeated in the "
							+ "background, at the latest the lock ends with its lease",
					hold.key(), this.context.settings().commandTimeout().toMillis());
		}
		else if (result != FinishResult.RELEASED && release.conclusive() && hold.remaining() > 0) {
			throw hold.vanishedException();
		}
	}

	/** What the store tells unasked. */
	private final class Events implements StoreListener {

		private final LockTable table = LockEngine.this.context.table();

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			if (!LockEngine.this.shutdown.finished()) {
				this.table.with(key, (entry) -> entry.grantedUnasked(request, grant));
			}
		}

		@Override
		public void contended(String key) {
			LockEntry entry = this.table.find(key);
			if (entry != null) {
				entry.contended();
			}
		}

		@Override
		public void reconnected() {
			this.table.all().forEach(LockEntry::reconnected);
		}

	}

}
