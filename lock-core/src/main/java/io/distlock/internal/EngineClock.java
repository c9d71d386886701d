package io.distlock.internal;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.spi.LockClock;

/**
 * The monotonic clock an engine lives by. On Linux the machine's own stands still while
 * the machine is suspended, and leases do not. So it is compared with the wall clock: if
 * that one has gone more than a second further, this one skips the difference, and what
 * was counted before counts the time that was slept through.
 */
final class EngineClock implements LockClock {

	/** What the two clocks may differ by between two looks, besides their drift. */
	private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** More often there is no need to follow the drift. */
	private static final long FOLLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long DRIFT_PARTS = 1000;

	private final LockClock machine;

	private final ReentrantLock looking = new ReentrantLock();

	private volatile long skipped;

	/** Wall clock less monotonic clock, at the last look. */
	private volatile long offset;

	private volatile long lookedAt;

	EngineClock(LockClock machine) {
		this.machine = machine;
		this.lookedAt = machine.nanoTime();
		this.offset = wall() - this.lookedAt;
	}

	@Override
	public long nanoTime() {
		return this.machine.nanoTime() + this.skipped;
	}

	@Override
	public Instant instant() {
		return this.machine.instant();
	}

	@Override
	public void park(long nanos) {
		this.machine.park(nanos);
	}

	/** How much time was skipped so far, in nanoseconds. */
	long skipped() {
		return this.skipped;
	}

	/**
	 * Compares the clocks. To be called before a moment is taken down that a lease is
	 * counted from: what is skipped later is known to have passed after it.
	 * @return by how many nanoseconds the wall clock jumped since the last look, usually
	 * zero
	 */
	long look() {
		long wall = wall();
		long now = this.machine.nanoTime();
		long ahead = wall - now - this.offset;
		boolean calm = ahead < STEP_NANOS && ahead > -STEP_NANOS && now - this.lookedAt < FOLLOW_NANOS;
		return calm ? 0 : lookClosely();
	}

	/** A pause between the readings of the two clocks must not look like a jump. */
	private long lookClosely() {
		this.looking.lock();
		try {
			long before = this.machine.nanoTime();
			long wall = wall();
			long after = this.machine.nanoTime();
			long drift = (after - this.lookedAt) / DRIFT_PARTS;
			long tolerance = STEP_NANOS + drift;
			long ahead = wall - after - this.offset;
			long behind = wall - before - this.offset;
			this.lookedAt = after;
			if (ahead >= tolerance) {
				// In this order: who finds the offset in step must not miss the time
				// skipped.
				this.skipped += ahead;
				this.offset = wall - after;
				return ahead;
			}
			if (behind <= -tolerance) {
				this.offset = wall - before;
				return behind;
			}
			follow((ahead > 0) ? ahead : Math.min(0, behind), drift);
			return 0;
		}
		finally {
			this.looking.unlock();
		}
	}

	/** No faster than clocks drift: short naps add up. */
	private void follow(long difference, long drift) {
		this.offset += Math.max(-drift, Math.min(drift, difference));
	}

	private long wall() {
		Instant instant = this.machine.instant();
		return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
	}

}
