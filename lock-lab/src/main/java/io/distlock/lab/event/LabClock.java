package io.distlock.lab.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The time that all processes of a run have in common: the wall clock of the machine at
 * the beginning, and from there on the monotonic clock, so that a correction of the wall
 * clock moves nothing. Two processes differ by what two readings of the wall clock
 * differ, some microseconds.
 */
public final class LabClock {

	private static final int READINGS = 20;

	private final long offsetNanos;

	/** Reads the wall clock. */
	public LabClock() {
		long best = Long.MAX_VALUE;
		long offset = 0;
		for (int i = 0; i < READINGS; i++) {
			long before = System.nanoTime();
			long wall = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
			long after = System.nanoTime();
			if (after - before < best) {
				best = after - before;
				offset = wall - before - best / 2;
			}
		}
		this.offsetNanos = offset;
	}

	/**
	 * Reads the time.
	 * @return microseconds since 1970
	 */
	public long micros() {
		return (System.nanoTime() + this.offsetNanos) / 1000;
	}

}
