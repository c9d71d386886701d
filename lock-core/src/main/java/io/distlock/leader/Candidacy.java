package io.distlock.leader;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.spi.LockClock;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of a process in an election: the wait for the lock, and the leadership if it
 * gets the lock. The thread of the election {@linkplain #stand() stands} and then
 * {@linkplain #end() ends} the turn. Other threads may end the leadership or withdraw the
 * candidacy.
 * <p>
 * Invariant: this object knows the acquisition from its begin until its lock is released.
 * So an error may come anywhere, and {@link #end()} is repeated after it.
 */
final class Candidacy {

	/** A leadership ends when one of so many parts of its lease is left. */
	private static final int PARTS = 3;

	private static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

	/** How long the revoked callbacks wait for the granted ones once the lock is lost. */
	private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final Logger logger = LoggerFactory.getLogger(Candidacy.class);

	private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

	private final AtomicReference<Told> told = new AtomicReference<>(Told.NOTHING);

	/** The thread of the election, {@code null} if this never stands. */
	private final @Nullable Thread thread;

	private final LockTemplate locks;

	private final LockRequest request;

	private final String name;

	private final List<LongConsumer> granted;

	private final List<LongConsumer> revoked;

	private final LockClock clock;

	/**
	 * The acquisition, until its lock is released. Used by the thread of the election.
	 */
	private @Nullable CompletableFuture<LockHandle> asked;

	/** The thread of the granted callbacks. Used by the thread of the election. */
	private @Nullable Thread caller;

	/** How many revoked callbacks were called. Used by the thread of the election. */
	private int revocations;

	/** The lock of the present leadership, which may be lost already. */
	private volatile @Nullable LockHandle leading;

	/** Whether a leadership has begun whose lock is not released yet. */
	private volatile boolean busy;

	/** Whether the granted callbacks are not running. */
	private volatile boolean returned = true;

	private volatile boolean withdrawn;

	Candidacy(LockTemplate locks, LockRequest request, String name, List<LongConsumer> granted,
			List<LongConsumer> revoked, LockClock clock, @Nullable Thread thread) {
		this.locks = locks;
		this.request = request;
		this.name = name;
		this.granted = granted;
		this.revoked = revoked;
		this.clock = clock;
		this.thread = thread;
	}

	/** Returns the lock of the present leadership, or {@code null} if there is none. */
	@Nullable LockHandle leading() {
		LockHandle lock = this.leading;
		return (lock != null && lock.isHeld()) ? lock : null;
	}

	/** Returns whether a leadership has begun whose lock is not released yet. */
	boolean isBusy() {
		return this.busy;
	}

	/**
	 * Returns what completes when all callbacks have returned and the lock is released.
	 */
	CompletableFuture<@Nullable Void> over() {
		return this.over;
	}

	/** Ends the leadership, if there is one. */
	void handOver() {
		this.leading = null;
		LockSupport.unpark(this.thread);
	}

	/** Ends the leadership, or the wait for the lock. */
	void withdraw() {
		this.withdrawn = true;
		handOver();
	}

	/**
	 * Waits for the lock, and leads until the leadership has to end.
	 * @throws LockException if the lock was not acquired
	 */
	void stand() {
		CompletableFuture<LockHandle> acquisition = this.locks.acquireAsync(this.request).toCompletableFuture();
		this.asked = acquisition;
		acquisition.whenComplete((lock, failure) -> LockSupport.unpark(this.thread));
		await(this.clock.nanoTime() + FOREVER_NANOS, () -> acquisition.isDone() || this.withdrawn);
		if (!this.withdrawn) {
			lead(acquired(acquisition));
		}
	}

	private static LockHandle acquired(CompletableFuture<LockHandle> acquisition) {
		try {
			return acquisition.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof LockException failure) ? failure : ex;
		}
	}

	private void lead(LockHandle lock) {
		this.busy = true;
		Thread created = newThread(this.name + "-granted", () -> grant(lock.fencingToken()));
		lock.onLost((lost) -> LockSupport.unpark(this.thread));
		this.leading = lock;
		start(created);
		logger.info("This process leads '{}' with token {}", KeyText.of(this.name), lock.fencingToken());
		watch(lock);
	}

	private void start(Thread created) {
		this.returned = false;
		try {
			created.start();
		}
		catch (RuntimeException | Error ex) {
			this.returned = true;
			throw ex;
		}
		this.caller = created;
	}

	private void grant(long token) {
		try {
			// The leadership may be over before this thread begins.
			if (leading() != null && this.told.compareAndSet(Told.NOTHING, Told.GRANTED)) {
				callGranted(token);
			}
		}
		catch (Throwable ex) {
			LockHandle lock = this.leading;
			handOver();
			if (lock != null && lock.isHeld()) {
				logger.error("A granted callback of leader election '{}' failed; the leadership is handed over",
						KeyText.of(this.name), ex);
			}
			else {
				logger.debug("A granted callback of leader election '{}' was interrupted", KeyText.of(this.name), ex);
			}
		}
		finally {
			this.returned = true;
			LockSupport.unpark(this.thread);
		}
	}

	/** Calls the first callback, which is announced, and the others while this leads. */
	private void callGranted(long token) {
		boolean first = true;
		for (LongConsumer callback : this.granted) {
			if (first || leading() != null) {
				callback.accept(token);
			}
			first = false;
		}
	}

	/** Returns when the leadership has to end. */
	private void watch(LockHandle lock) {
		// The lease may be shorter until its first renewal, so the longest time counts.
		long longest = 0;
		long left = lock.remaining().toNanos();
		while (left > longest / PARTS && this.leading != null) {
			longest = Math.max(longest, left);
			park(left - longest / PARTS);
			left = lock.remaining().toNanos();
		}
	}

	/**
	 * Ends the leadership, if there was one, and releases the lock or stops waiting for
	 * it. Does nothing if this has ended. After an error this is called again.
	 */
	void end() {
		this.leading = null;
		CompletableFuture<LockHandle> acquisition = this.asked;
		if (acquisition != null && !acquisition.cancel(false) && !acquisition.isCompletedExceptionally()) {
			LockHandle lock = acquisition.join();
			if (this.busy) {
				revoke(lock);
			}
			release(lock);
		}
		this.asked = null;
		this.busy = false;
		// Nobody holds a monitor here: who awaits this may do anything.
		this.over.complete(null);
	}

	private void release(LockHandle lock) {
		try {
			lock.close();
		}
		catch (LockException ex) {
			logger.debug("The lock of leader election '{}' was lost", KeyText.of(this.name), ex);
		}
	}

	private void revoke(LockHandle lock) {
		if (this.caller != null) {
			this.caller.interrupt();
		}
		await(this.clock.nanoTime() + patience(lock), () -> this.returned);
		if (!this.returned) {
			logger.warn("A granted callback of leader election '{}' does not return although it was interrupted",
					KeyText.of(this.name));
		}
		this.told.compareAndSet(Told.NOTHING, Told.NEVER);
		if (this.told.get() == Told.GRANTED) {
			callRevoked(lock.fencingToken());
		}
		await(this.clock.nanoTime() + FOREVER_NANOS, () -> this.returned);
		logger.info("This process no longer leads '{}' with token {}{}", KeyText.of(this.name), lock.fencingToken(),
				lock.isHeld() ? "" : "; the lock was lost before its callbacks had returned");
	}

	/** Returns how long the revoked callbacks wait for the granted ones. */
	private static long patience(LockHandle lock) {
		long left = lock.remaining().toNanos();
		return (left > 0) ? left / 2 : LOST_NANOS;
	}

	private void callRevoked(long token) {
		while (this.revocations < this.revoked.size()) {
			LongConsumer callback = this.revoked.get(this.revocations++);
			try {
				callback.accept(token);
			}
			catch (Throwable ex) {
				logger.error("A revoked callback of leader election '{}' failed", KeyText.of(this.name), ex);
			}
		}
	}

	/** Waits until this is withdrawn, at most for some time. */
	void pause(long nanos) {
		await(this.clock.nanoTime() + nanos, () -> this.withdrawn);
	}

	private void await(long until, BooleanSupplier condition) {
		while (!condition.getAsBoolean() && until - this.clock.nanoTime() > 0) {
			park(until - this.clock.nanoTime());
		}
	}

	private void park(long nanos) {
		// With its interrupt flag set, this thread would not park but spin.
		Thread.interrupted();
		this.clock.park(nanos);
	}

	static Thread newThread(String name, Runnable body) {
		Thread created = new Thread(body, "distributed-lock-leader-" + KeyText.of(name));
		created.setDaemon(true);
		return created;
	}

	/** Whether the callbacks were told of the leadership. It is decided once. */
	private enum Told {

		NOTHING, GRANTED, NEVER

	}

}
