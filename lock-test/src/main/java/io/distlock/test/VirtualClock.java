package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.distlock.spi.LockClock;

/**
 * A clock that stands still until a test moves it. Threads that park on it are real. They
 * wake when the clock reaches their time.
 */
public final class VirtualClock implements LockClock {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Set<Thread.State> RUNNING = Set.of(Thread.State.NEW, Thread.State.RUNNABLE,
			Thread.State.BLOCKED);

	private static final int ROUNDS_OF_CALM = 3;

	private static final Duration SETTLE_LIMIT = Duration.ofSeconds(10);

	private final List<Parked> parked = new ArrayList<>();

	private final Set<Thread> known = new HashSet<>();

	/** These have something to do until they end, also while they wait. */
	private final Set<Thread> messengers = new HashSet<>();

	private long nanos;

	private Duration wallAhead = Duration.ZERO;

	@Override
	public synchronized long nanoTime() {
		return this.nanos;
	}

	@Override
	public synchronized Instant instant() {
		return START.plusNanos(this.nanos).plus(this.wallAhead);
	}

	@Override
	public void park(long nanosToWait) {
		Parked self;
		synchronized (this) {
			self = new Parked(Thread.currentThread(), this.nanos + nanosToWait);
			if (nanosToWait <= 0) {
				return;
			}
			this.parked.add(self);
			this.known.add(self.thread());
		}
		try {
			LockSupport.park(this);
		}
		finally {
			synchronized (this) {
				this.parked.remove(self);
			}
		}
	}

	/**
	 * Delivers a message of a store on a thread of its own, as a network would. No time
	 * passes before it has arrived, because a message that is late by chance makes
	 * another case of the test.
	 * @param message the message
	 */
	public void deliver(Runnable message) {
		Thread messenger = new Thread(message);
		synchronized (this) {
			this.messengers.add(messenger);
		}
		messenger.start();
	}

	/**
	 * Lets time pass. Threads wake one after the other when their time comes, and each of
	 * them acts before the clock moves on.
	 * @param duration how far
	 */
	public void advance(Duration duration) {
		settle();
		long target = nanoTime() + duration.toNanos();
		while (nanoTime() < target) {
			moveOn(target);
			settle();
		}
	}

	/**
	 * Moves to the next time of a thread. A thread that woke for nothing since all were
	 * calm has no time until it parks again.
	 */
	private synchronized void moveOn(long target) {
		if (!isBusy()) {
			moveTo(Math.min(earliestParked(), target));
		}
	}

	/**
	 * Lets time pass while a body runs in a thread of its own, such as a shutdown, which
	 * waits on this clock.
	 * @param body what to run
	 */
	public void passDuring(TestThreads.Action body) {
		TestThreads.Task<Void> task = TestThreads.runInThread(body);
		while (!task.isDone()) {
			advance(Duration.ofMillis(100));
		}
		try {
			TestThreads.get(task);
		}
		catch (Exception ex) {
			throw new AssertionError("Failed while time passed", ex);
		}
	}

	/**
	 * Makes time jump, as for a process that was frozen. No thread runs in between.
	 * @param duration how far
	 */
	public void jump(Duration duration) {
		settle();
		skip(duration);
		settle();
	}

	/**
	 * Makes time jump without waiting for other threads, for callers that the clock would
	 * wait for.
	 * @param duration how far
	 */
	public void skip(Duration duration) {
		moveTo(nanoTime() + duration.toNanos());
	}

	/**
	 * Moves the wall clock alone, as when an operator sets it. It also moves alone when a
	 * machine wakes whose monotonic clock stood still during the suspension.
	 * @param duration how far, negative for back
	 */
	public synchronized void stepWallClock(Duration duration) {
		this.wallAhead = this.wallAhead.plus(duration);
	}

	/**
	 * Waits, in real time, until this many threads use the clock, such as the
	 * housekeepers of templates that were just started.
	 * @param threads how many
	 */
	public void awaitThreads(int threads) {
		awaitInRealTime(() -> {
			synchronized (this) {
				return this.known.size() >= threads;
			}
		});
	}

	private synchronized long earliestParked() {
		return this.parked.stream().mapToLong(Parked::wakeAt).min().orElse(Long.MAX_VALUE);
	}

	private synchronized void moveTo(long moment) {
		this.nanos = Math.max(this.nanos, moment);
		this.parked.stream().filter(due(this.nanos)).forEach((sleeper) -> LockSupport.unpark(sleeper.thread()));
	}

	/**
	 * Waits, in real time, until no thread of this clock has anything to do. A thread
	 * that was unparked a moment ago still looks as if it slept. Each thread therefore
	 * has to take a turn first.
	 */
	private void settle() {
		List<Parked> sleepers = parkedThreads();
		sleepers.forEach((sleeper) -> LockSupport.unpark(sleeper.thread()));
		awaitInRealTime(() -> sleepers.stream().noneMatch(this::isParked));
		int[] calm = new int[1];
		awaitInRealTime(() -> {
			calm[0] = isBusy() ? 0 : calm[0] + 1;
			return calm[0] == ROUNDS_OF_CALM;
		});
	}

	private synchronized List<Parked> parkedThreads() {
		return List.copyOf(this.parked);
	}

	private synchronized boolean isParked(Parked sleeper) {
		return this.parked.stream().anyMatch((current) -> current == sleeper);
	}

	private static void awaitInRealTime(BooleanSupplier condition) {
		long giveUp = System.nanoTime() + SETTLE_LIMIT.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - giveUp > 0) {
				throw new IllegalStateException("Threads did not react to the virtual clock within " + SETTLE_LIMIT);
			}
			LockSupport.parkNanos(100_000);
		}
	}

	private synchronized boolean isBusy() {
		this.known.removeIf((thread) -> !thread.isAlive());
		this.messengers.removeIf((thread) -> thread.getState() == Thread.State.TERMINATED);
		return this.messengers.stream().anyMatch((thread) -> thread != Thread.currentThread())
				|| this.parked.stream().anyMatch(due(this.nanos)) || this.known.stream()
					.anyMatch((thread) -> thread != Thread.currentThread() && RUNNING.contains(thread.getState()));
	}

	private static Predicate<Parked> due(long now) {
		return (sleeper) -> sleeper.wakeAt() <= now;
	}

	/**
	 * A thread that is parked until its time.
	 *
	 * @param thread the thread
	 * @param wakeAt its time
	 */
	private record Parked(Thread thread, long wakeAt) {
	}

}
