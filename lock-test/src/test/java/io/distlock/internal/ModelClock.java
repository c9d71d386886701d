package io.distlock.internal;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.LockClock;

/**
 * The time of a model: moves only when the schedule says so, in steps that hide the
 * jitter of repetitions, so that a schedule can be replayed.
 */
public final class ModelClock implements LockClock {

	private static final long GRID = TimeUnit.MILLISECONDS.toNanos(10);

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private long nanos;

	@Override
	public long nanoTime() {
		return this.nanos;
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.nanos);
	}

	@Override
	public void park(long nanosToWait) {
		throw new IllegalStateException("Nobody parks in a model");
	}

	/** The first moment a schedule knows that is not before the given one. */
	static long onGrid(long moment) {
		return Math.floorDiv(moment + GRID - 1, GRID) * GRID;
	}

	public void moveTo(long moment) {
		this.nanos = onGrid(moment);
	}

	/** The clock of the store: as fast, but another one. */
	LockClock elsewhere() {
		return new LockClock() {

			@Override
			public long nanoTime() {
				return ModelClock.this.nanoTime() + TimeUnit.DAYS.toNanos(1);
			}

			@Override
			public Instant instant() {
				return ModelClock.this.instant();
			}

			@Override
			public void park(long nanosToWait) {
				ModelClock.this.park(nanosToWait);
			}

		};
	}

}
