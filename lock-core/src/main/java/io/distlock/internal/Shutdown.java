package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of an engine: nobody gets in any more, those inside may finish, what they
 * release is released in the store. Who takes too long keeps the lock until its lease
 * ends: freeing it under a running body would let a second one start. The loss is told
 * then, as ever; only the store is not asked any more.
 */
final class Shutdown {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final EngineContext context;

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock monitor = new ReentrantLock();

	private boolean free;

	Shutdown(EngineContext context) {
		this.context = context;
	}

	boolean run(Duration grace) {
		this.monitor.lock();
		try {
			return runOnce(grace);
		}
		finally {
			this.monitor.unlock();
		}
	}

	private boolean runOnce(Duration grace) {
		if (finished()) {
			return this.free;
		}
		this.context.stopAccepting();
		this.context.table().semaphores().forEach(Semaphore::refuseWaiters);
		this.context.table().all().forEach(LockEntry::refuseWaiters);
		this.free = awaitUntil(LocalDeadline.nanos(grace), () -> !this.context.table().anyHeld());
		if (!this.free) {
			logger.warn("Locks are still held after {} ms; they end with their leases", grace.toMillis());
		}
		awaitUntil(this.context.timeoutNanos(),
				() -> this.context.table().all().stream().noneMatch(LockEntry::unsettled));
		this.context.finish();
		this.context.table().all().forEach(LockEntry::abandon);
		this.context.housekeeper().stop();
		this.context.store().stop();
		return this.free;
	}

	boolean finished() {
		return this.context.finished();
	}

	private boolean awaitUntil(long nanos, BooleanSupplier condition) {
		long giveUp = this.context.now() + nanos;
		boolean interrupted = false;
		while (!condition.getAsBoolean() && giveUp - this.context.now() > 0) {
			this.context.clock().park(Math.min(LOOK_NANOS, giveUp - this.context.now()));
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return condition.getAsBoolean();
	}

}
