package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import io.distlock.spi.LockClock;

/**
 * A clock that stands still until told otherwise. Threads that park on it are real; they
 * wake when the clock reaches their time.
 */
public final class VirtualClock implements LockClock {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration SETTLE_LIMIT = Duration.ofSeconds(10);

	private final List<Parked> parked = new ArrayList<>();

	private long nanos;

	@Override
	public synchronized long nanoTime() {
		return this.nanos;
	}

	@Override
	public synchronized Instant instant() {
		return START.plusNanos(this.nanos);
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
	 * Lets time pass. Threads wake one after the other when their time comes, and each
	 * gets to act before the clock moves on.
	 * @param duration how far
	 */
	public void advance(Duration duration) {
		settle();
		long target = nanoTime() + duration.toNanos();
		long next = earliestParked();
		while (next <= target) {
			moveTo(next);
			settle();
			next = earliestParked();
		}
		moveTo(target);
		settle();
	}

	/**
	 * Makes time jump, as for a process that was frozen: nobody acts in between.
	 * @param duration how far
	 */
	public void jump(Duration duration) {
		settle();
		moveTo(nanoTime() + duration.toNanos());
		settle();
	}

	private synchronized long earliestParked() {
		return this.parked.stream().mapToLong(Parked::wakeAt).min().orElse(Long.MAX_VALUE);
	}

	private synchronized void moveTo(long moment) {
		this.nanos = Math.max(this.nanos, moment);
		this.parked.stream().filter(due(this.nanos)).forEach((sleeper) -> LockSupport.unpark(sleeper.thread()));
	}

	/** Waits, in real time, until no parked thread is due and those woken have acted. */
	private void settle() {
		long giveUp = System.nanoTime() + SETTLE_LIMIT.toNanos();
		int calm = 0;
		while (calm < 3) {
			calm = anyDue() ? 0 : calm + 1;
			if (System.nanoTime() - giveUp > 0) {
				throw new IllegalStateException("A thread did not react to the virtual clock within " + SETTLE_LIMIT);
			}
			LockSupport.parkNanos(200_000);
		}
	}

	private synchronized boolean anyDue() {
		return this.parked.stream().anyMatch(due(this.nanos));
	}

	private static Predicate<Parked> due(long now) {
		return (sleeper) -> sleeper.wakeAt() <= now;
	}

	/**
	 * A thread that waits for its time.
	 *
	 * @param thread the thread
	 * @param wakeAt its time
	 */
	private record Parked(Thread thread, long wakeAt) {
	}

}
