package io.distlock.leader;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
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
 * that is left, or a second after the lock was lost. The lock is renewed while they run
 * and released when they have returned. So another process leads while a revoked callback
 * runs only if that callback takes longer than the lease lasts without a renewal, or if
 * the store itself ended the lock, as after a release by force.
 * <p>
 * After that the process waits for the lock again, also while the store does not answer,
 * until the election is stopped.
 */
public final class LeaderElection implements AutoCloseable {

	private static final Duration A_YEAR = Duration.ofDays(365);

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

	// Created in advance: an error must not end the thread of the election.
	private final LoopGuard guard;

	private final Runnable turn = this::turn;

	private volatile boolean standing;

	private volatile Candidacy present;

	/** The thread of the election, as long as it is not over. */
	private volatile @Nullable Thread thread;

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
		this.guard = new LoopGuard("leader election", clock::park);
		this.present = candidacy(null);
		this.present.end();
	}

	private Candidacy candidacy(@Nullable Thread thread) {
		return new Candidacy(this.locks, this.request, this.name, this.granted, this.revoked, this.clock, thread);
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
		LockHandle lock = this.present.leading();
		return (lock != null) ? OptionalLong.of(lock.fencingToken()) : OptionalLong.empty();
	}

	/**
	 * Returns what this process does in the election.
	 * @return the state at this moment
	 */
	public State state() {
		if (isLeader()) {
			return State.LEADER;
		}
		Candidacy last = this.present;
		boolean stopped = !this.standing && last.over().isDone();
		return last.isBusy() ? State.REVOKING : stopped ? State.STOPPED : State.CANDIDATE;
	}

	/**
	 * Lets this process take part in the election. Does not block. A second call does
	 * nothing. An election that was stopped may be started again.
	 */
	public void start() {
		this.monitor.lock();
		try {
			if (this.thread == null) {
				Thread created = Candidacy.newThread(this.name, this::run);
				// It begins when this method has left the monitor.
				created.start();
				this.thread = created;
			}
			this.standing = true;
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
		this.present.handOver();
	}

	/**
	 * Ends the present leadership and leaves the election. Does not block.
	 * @return a stage that completes when all callbacks have returned and the lock is
	 * released, even if the election is started again before. Its continuations run on
	 * the thread of the election
	 */
	public CompletionStage<@Nullable Void> stop() {
		return leave().over().minimalCompletionStage();
	}

	/** Leaves the election, and returns what ends with that. */
	private Candidacy leave() {
		this.monitor.lock();
		try {
			this.standing = false;
			this.present.withdraw();
			return this.present;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/**
	 * Ends the present leadership and leaves the election. Blocks until all callbacks
	 * have returned and the lock is released, at most for 10 s. Does nothing if the
	 * election was stopped before.
	 */
	@Override
	public void close() {
		boolean first = this.standing;
		Candidacy left = leave();
		if (!first || Thread.currentThread() == this.thread) {
			return;
		}
		try {
			left.over().get(CLOSE_SECONDS, TimeUnit.SECONDS);
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

	private void run() {
		do {
			this.guard.runOrPause(this.turn);
		}
		while (this.thread == Thread.currentThread());
	}

	private void turn() {
		// An error may have kept the last one from ending.
		this.present.end();
		Candidacy next = next();
		if (next == null) {
			return;
		}
		try {
			next.stand();
		}
		catch (LockException ex) {
			logger.debug("Leader election '{}' goes on", KeyText.of(this.name), ex);
		}
		finally {
			next.end();
		}
		next.pause(PAUSE_NANOS);
	}

	/** Returns {@code null} and lets the thread end if the election was stopped. */
	private @Nullable Candidacy next() {
		this.monitor.lock();
		try {
			if (!this.standing) {
				this.thread = null;
				return null;
			}
			Candidacy next = candidacy(Thread.currentThread());
			this.present = next;
			return next;
		}
		finally {
			this.monitor.unlock();
		}
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
