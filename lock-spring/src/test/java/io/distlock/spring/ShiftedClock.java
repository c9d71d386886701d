package io.distlock.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.distlock.spi.LockClock;

/**
 * The machine's clock, ahead by what a test says: a lease ends when a test wants it, and
 * not before on a busy machine. Threads that wait on this clock look at it then.
 */
final class ShiftedClock implements LockClock {

	private final LockClock machine = LockClock.system();

	private final AtomicLong ahead = new AtomicLong();

	/** Who asked for the time, and may wait for what it was. */
	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	/** Leases of 20 s are over then, those of 30 s not yet. */
	void outliveLeases() {
		this.ahead.addAndGet(Duration.ofSeconds(25).toNanos());
		this.threads.forEach(LockSupport::unpark);
	}

	@Override
	public long nanoTime() {
		this.threads.add(Thread.currentThread());
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
