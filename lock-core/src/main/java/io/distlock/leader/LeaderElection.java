package io.distlock.leader;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.spi.LockClock;
import io.distlock.support.KeyText;
import io.distlock.support.LoopGuard;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of several processes as the leader. Each process creates an election with
 * the same name and starts it. The process that holds the lock {@code leader:<name>}
 * leads, and the others wait for the lock.
 * <p>
 * {@link #isLeader()} compares the local deadline of the lock with the clock, so two
 * processes are leaders at the same time only where the store breaks its promise. A
 * process that was frozen may finish a step that it began as the leader. Where that
 * matters, pass the fencing token to a resource that refuses lower ones.
 * <p>
 * A leadership ends when the process hands it over or stops the election, when the lock
 * is lost, and when no renewal was confirmed until a third of the lease is left. Then
 * {@link #isLeader()} is {@code false}, and a granted callback that still runs is
 * interrupted. The revoked callbacks run when it has returned, or after half of the time
 * that is left. The lock is renewed while they run and released when they have returned.
 * So another process leads while a revoked callback runs only if that callback takes
 * longer than the lease lasts without a renewal, or if the store itself ended the lock,
 * as after a release by force.
 * <p>
 * After that the process waits for the lock again, also while the store does not answer,
 * until the election is stopped.
 */
public final class LeaderElection implements AutoCloseable {

	/** A leadership ends when one of so many parts of its lease is left. */
	private static final int PARTS = 3;

	private static final Duration A_YEAR = Duration.ofDays(365);

	private static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

	/** The time between a leadership or a failure and the next attempt. */
	private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long CLOSE_SECONDS = 10;

	private static final Logger logger = LoggerFactory.getLogger(LeaderElection.class);

	private final List<LongConsumer> granted = new CopyOnWriteArrayList<>();

	private final List<LongConsumer> revoked = new CopyOnWriteArrayList<>();

	private final ReentrantLock monitor = new ReentrantLock();

	private final LockTemplate locks;

	private final String name;

	private final LockRequest request;

	private final LockClock clock;

	private volatile boolean standing;

	/** The lock of the present leadership, which may be lost already. */
	private volatile @Nullable LockHandle leading;

	/** Whether a leadership has begun whose lock is not released yet. */
	private volatile boolean busy;

	private volatile @Nullable Thread thread;

	private volatile CompletableFuture<@Nullable Void> stopped = CompletableFuture.completedFuture(null);

	LeaderElection(LockTemplate locks, String name, LockClock clock) {
		this.request = LockRequest.of(name)
			.forKey("leader:" + name)
			.named("leader")
			.calledFrom(LeaderElection.class.getSimpleName())
			.waitAtMost(A_YEAR)
			.maxHold(A_YEAR);
		this.locks = locks;
		this.name = name;
		this.clock = clock;
	}

	/**
	 * Creates an election, which is not started. Its lease is that of the template.
	 * @param locks acquires the lock {@code leader:<name>}
	 * @param name the name of the election, the same in all processes
	 * @return the election
	 * @throws IllegalArgumentException if the name is null or blank
	 */
	public static LeaderElection of(LockTemplate locks, String name) {
		return new LeaderElection(locks, name, LockClock.system());
	}

	/**
	 * Adds a callback that runs when a leadership begins. Callbacks run one after the
	 * other on a separate thread, which is interrupted when the leadership ends. If one
	 * of them throws an exception, it is logged and the leadership is handed over.
	 * @param callback receives the fencing token of the leadership
	 * @return this election
	 */
	public LeaderElection onGranted(LongConsumer callback) {
		this.granted.add(callback);
		return this;
	}

	/**
	 * Adds a callback that runs when a leadership has ended whose granted callbacks were
	 * called. {@link #isLeader()} is {@code false} already. Callbacks run one after the
	 * other, in time if they return within a sixth of the lease. An exception is logged.
	 * @param callback receives the fencing token of the leadership
	 * @return this election
	 */
	public LeaderElection onRevoked(LongConsumer callback) {
		this.revoked.add(callback);
		return this;
	}

	/**
	 * Returns the name.
	 * @return the name of the election, the same in all processes
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns whether this process leads right now, according to the local deadline of
	 * the lock. Does not ask the store and does not block.
	 * @return {@code false} from the moment when the leadership ends, even if no callback
	 * has run yet
	 */
	public boolean isLeader() {
		return fencingToken().isPresent();
	}

	/**
	 * Returns the fencing token of the present leadership. Each leadership has a higher
	 * token than all earlier ones, in whatever process.
	 * @return empty unless this process {@linkplain #isLeader() leads}
	 */
	public OptionalLong fencingToken() {
		LockHandle lock = this.leading;
		return (lock != null && lock.isHeld()) ? OptionalLong.of(lock.fencingToken()) : OptionalLong.empty();
	}

	/**
	 * Returns what this process does in the election.
	 * @return the state at this moment
	 */
	public State state() {
		if (isLeader()) {
			return State.LEADER;
		}
		return this.busy ? State.REVOKING : this.stopped.isDone() ? State.STOPPED : State.CANDIDATE;
	}

	/**
	 * Lets this process take part in the election. Does not block. A second call does
	 * nothing. An election that was stopped may be started again.
	 */
	public void start() {
		this.monitor.lock();
		try {
			this.standing = true;
			if (this.stopped.isDone()) {
				Thread created = newThread("", this::run);
				this.thread = created;
				created.start();
				this.stopped = new CompletableFuture<>();
			}
		}
		finally {
			this.monitor.unlock();
		}
	}

	/**
	 * Ends the present leadership. This process takes part in the election again about a
	 * second after the lock was released. Does not block. Does nothing if this process
	 * does not lead.
	 */
	public void handOver() {
		this.leading = null;
		LockSupport.unpark(this.thread);
	}

	/**
	 * Ends the present leadership and leaves the election. Does not block.
	 * @return a stage that completes when all callbacks have returned and the lock is
	 * released
	 */
	public CompletionStage<@Nullable Void> stop() {
		this.standing = false;
		handOver();
		return this.stopped.minimalCompletionStage();
	}

	/**
	 * Ends the present leadership and leaves the election. Blocks until all callbacks
	 * have returned and the lock is released, at most for 10 s. Does nothing if the
	 * election was stopped before.
	 */
	@Override
	public void close() {
		boolean first = this.standing;
		stop();
		if (!first || Thread.currentThread() == this.thread) {
			return;
		}
		try {
			this.stopped.get(CLOSE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("The callbacks of leader election '{}' have not returned within {} s; its lock is kept until "
					+ "they return or the lease ends", KeyText.of(this.name), CLOSE_SECONDS);
		}
	}

	@Override
	public String toString() {
		return "LeaderElection[name=" + KeyText.of(this.name) + ", state=" + state() + "]";
	}

	private Thread newThread(String suffix, Runnable body) {
		Thread created = new Thread(body, "distributed-lock-leader-" + KeyText.of(this.name) + suffix);
		created.setDaemon(true);
		return created;
	}

	private void run() {
		LoopGuard guard = new LoopGuard("leader election", this.clock::park);
		Runnable turn = this::turn;
		while (!isOver()) {
			guard.runOrPause(turn);
		}
	}

	private boolean isOver() {
		this.monitor.lock();
		try {
			return !this.standing && this.stopped.complete(null);
		}
		finally {
			this.monitor.unlock();
		}
	}

	private void turn() {
		try {
			LockHandle lock = acquire();
			if (lock != null) {
				lead(lock);
			}
		}
		catch (LockException ex) {
			logger.debug("Leader election '{}' goes on", KeyText.of(this.name), ex);
		}
		await(this.clock.nanoTime() + PAUSE_NANOS, () -> !this.standing);
	}

	/** Waits for the lock. The result is {@code null} if the election was stopped. */
	private @Nullable LockHandle acquire() {
		CompletableFuture<LockHandle> asked = this.locks.acquireAsync(this.request).toCompletableFuture();
		asked.whenComplete((lock, failure) -> LockSupport.unpark(this.thread));
		await(this.clock.nanoTime() + FOREVER_NANOS, () -> asked.isDone() || !this.standing);
		asked.cancel(false);
		try {
			return asked.isCancelled() ? null : asked.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof LockException failure) ? failure : ex;
		}
	}

	private void lead(LockHandle lock) {
		CompletableFuture<@Nullable Void> returned = new CompletableFuture<>();
		AtomicBoolean told = new AtomicBoolean();
		this.busy = true;
		try (lock) {
			Thread caller = newThread("-granted", () -> grant(lock.fencingToken(), told, returned));
			lock.onLost((lost) -> LockSupport.unpark(this.thread));
			this.leading = lock;
			caller.start();
			try {
				logger.info("This process leads '{}' with token {}", KeyText.of(this.name), lock.fencingToken());
				watch(lock);
			}
			finally {
				this.leading = null;
				revoke(lock, caller, told, returned);
			}
		}
		finally {
			this.leading = null;
			this.busy = false;
		}
	}

	private void grant(long token, AtomicBoolean told, CompletableFuture<@Nullable Void> returned) {
		try {
			// The leadership may be over before this thread begins. Noted first, so that
			// whoever ends the leadership after the question knows of the callbacks.
			told.set(true);
			told.set(isLeader());
			for (LongConsumer callback : this.granted) {
				if (isLeader()) {
					callback.accept(token);
				}
			}
		}
		catch (Throwable ex) {
			if (isLeader()) {
				logger.error("A granted callback of leader election '{}' failed; the leadership is handed over",
						KeyText.of(this.name), ex);
				handOver();
			}
			else {
				logger.debug("A granted callback of leader election '{}' was interrupted", KeyText.of(this.name), ex);
			}
		}
		finally {
			returned.complete(null);
			LockSupport.unpark(this.thread);
		}
	}

	/** Returns when the leadership has to end. */
	private void watch(LockHandle lock) {
		// The lease may be shorter until its first renewal, so the longest time counts.
		long longest = 0;
		long left = lock.remaining().toNanos();
		while (left > longest / PARTS && this.leading != null && this.standing) {
			longest = Math.max(longest, left);
			park(left - longest / PARTS);
			left = lock.remaining().toNanos();
		}
	}

	private void revoke(LockHandle lock, Thread caller, AtomicBoolean told,
			CompletableFuture<@Nullable Void> returned) {
		long half = this.clock.nanoTime() + lock.remaining().toNanos() / 2;
		caller.interrupt();
		await(half, returned::isDone);
		if (!returned.isDone()) {
			logger.warn("A granted callback of leader election '{}' does not return although it was interrupted",
					KeyText.of(this.name));
		}
		if (told.get()) {
			this.revoked.forEach((callback) -> revoke(callback, lock.fencingToken()));
		}
		await(this.clock.nanoTime() + FOREVER_NANOS, returned::isDone);
		logger.info("This process no longer leads '{}' with token {}{}", KeyText.of(this.name), lock.fencingToken(),
				lock.isHeld() ? "" : "; the lock was lost before its callbacks had returned");
	}

	private void revoke(LongConsumer callback, long token) {
		try {
			callback.accept(token);
		}
		catch (Throwable ex) {
			logger.error("A revoked callback of leader election '{}' failed", KeyText.of(this.name), ex);
		}
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

	/** What a process does in an election. */
	public enum State {

		/** It was not started, or it was stopped. */
		STOPPED,

		/** It waits for the lock. */
		CANDIDATE,

		/** It leads. */
		LEADER,

		/**
		 * It no longer leads. Callbacks still run, or the lock is not released yet.
		 */
		REVOKING

	}

}
