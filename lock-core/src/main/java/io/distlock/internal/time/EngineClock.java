package io.distlock.internal.time;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.spi.ClockDrift;
import io.distlock.spi.LockClock;
import io.distlock.support.StackReserve;

/**
 * The monotonic clock of an engine. On Linux the machine's monotonic clock stands still
 * while the machine is suspended, but leases go on. So this clock compares itself with
 * the wall clock. If the wall clock has advanced more than a second further, this clock
 * skips the difference. Every earlier moment then lies further back by the time of the
 * suspension.
 */
public final class EngineClock implements LockClock {

	/** How far the clocks may differ between two comparisons, besides their drift. */
	private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** The interval after which a comparison follows the drift. */
	private static final long FOLLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LockClock machine;

	private final ReentrantLock comparing = new ReentrantLock();

	private volatile long skipped;

	/** The wall clock minus the monotonic clock at the last comparison. */
	private volatile long offset;

	private volatile long comparedAt;

	/**
	 * Creates a clock that has skipped nothing.
	 * @param machine the clock of the machine
	 */
	public EngineClock(LockClock machine) {
		this.machine = machine;
		this.comparedAt = machine.nanoTime();
		this.offset = wall() - this.comparedAt;
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
	public long epochMillis() {
		return this.machine.epochMillis();
	}

	@Override
	public void park(long nanos) {
		this.machine.park(nanos);
	}

	/**
	 * Returns how much time was skipped so far.
	 * @return nanoseconds
	 */
	public long skipped() {
		return this.skipped;
	}

	/**
	 * Compares the clocks. Callers compare them before they record the moment from which
	 * a lease counts. So any time that is skipped later has passed after that moment.
	 * @return by how many nanoseconds the wall clock jumped since the last comparison,
	 * usually zero
	 */
	long compare() {
		long wall = wall();
		long now = this.machine.nanoTime();
		long ahead = wall - now - this.offset;
		boolean calm = ahead < STEP_NANOS && ahead > -STEP_NANOS && now - this.comparedAt < FOLLOW_NANOS;
		return calm ? 0 : compareClosely();
	}

	/**
	 * Compares the clocks so closely that a pause between the two readings does not look
	 * like a jump.
	 */
	private long compareClosely() {
		StackReserve.require();
		this.comparing.lock();
		try {
			long before = this.machine.nanoTime();
			long wall = wall();
			long after = this.machine.nanoTime();
			long drift = ClockDrift.of(after - this.comparedAt);
			long tolerance = STEP_NANOS + drift;
			long ahead = wall - after - this.offset;
			long behind = wall - before - this.offset;
			this.comparedAt = after;
			if (ahead >= tolerance) {
				// The order matters: a reader that finds the new offset must also see
				// the time skipped.
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
			this.comparing.unlock();
		}
	}

	/**
	 * Follows a difference, but no faster than clocks drift: otherwise short suspensions
	 * would add up unseen.
	 */
	private void follow(long difference, long drift) {
		this.offset += Math.max(-drift, Math.min(drift, difference));
	}

	private long wall() {
		return TimeUnit.MILLISECONDS.toNanos(this.machine.epochMillis());
	}

}
