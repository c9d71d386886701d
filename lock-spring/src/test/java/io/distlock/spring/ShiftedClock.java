package io.distlock.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.spi.LockClock;

/**
 * The machine's clock, ahead by what a test says: a lease ends when a test wants it, and
 * not before on a busy machine.
 */
final class ShiftedClock implements LockClock {

	private final LockClock machine = LockClock.system();

	private final AtomicLong ahead = new AtomicLong();

	/** Leases of 20 s are over then, those of 30 s not yet. */
	void outliveLeases() {
		this.ahead.addAndGet(Duration.ofSeconds(25).toNanos());
	}

	@Override
	public long nanoTime() {
		return this.machine.nanoTime() + this.ahead.get();
	}

	@Override
	public Instant instant() {
		return this.machine.instant().plusNanos(this.ahead.get());
	}

	@Override
	public void park(long nanos) {
		this.machine.park(nanos);
	}

}
