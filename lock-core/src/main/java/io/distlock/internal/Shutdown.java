package io.distlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.distlock.internal.context.EngineContext;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Semaphore;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuts an engine down. New callers are refused. Owners of locks may finish, and their
 * releases still reach the store. An owner that takes too long keeps its lock until the
 * lease ends: if the lock were freed under a running body, a second body could start. The
 * loss of such a lock is still reported, but the store is not asked any more.
 */
final class Shutdown {

	private static final Logger logger = LoggerFactory.getLogger(Shutdown.class);

	private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** How many locks a log line names. */
	private static final int MOST_NAMED = 10;

	private final EngineContext context;

	private final LockTable table;

	private final Housekeeper housekeeper;

	private final LockOperations operations;

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock monitor = new ReentrantLock();

	private boolean free;

	Shutdown(EngineContext context, LockTable table, Housekeeper housekeeper) {
		this.context = context;
		this.table = table;
		this.housekeeper = housekeeper;
		this.operations = new EngineOperations(table, context);
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
		if (this.context.stopped()) {
			return this.free;
		}
		this.context.stopAccepting();
		this.table.semaphores().forEach(Semaphore::refuseWaiters);
		this.table.all().forEach(LockEntry::refuseWaiters);
		this.free = awaitUntil(LocalDeadline.nanos(grace), () -> !this.table.anyHeld());
		if (!this.free) {
			logger.warn("Locks are still held after {} ms; they end with their leases: {}", grace.toMillis(),
					stillHeld());
		}
		awaitUntil(this.context.timeoutNanos(), () -> this.table.all().stream().noneMatch(LockEntry::unsettled));
		this.context.stop();
		this.table.all().forEach(LockEntry::abandon);
		this.context.abandoned();
		this.housekeeper.stop();
		this.context.store().stop();
		// The threads that report do not keep the process alive. This wait ends even if
		// one of them hangs.
		awaitUntil(this.context.timeoutNanos(), this.context::isReported);
		return this.free;
	}

	/**
	 * Describes the locks that are still held, the oldest ones first, because their
	 * bodies probably hang.
	 */
	private String stillHeld() {
		List<HeldLock> held = this.operations.heldHere();
		String named = held.stream().limit(MOST_NAMED).map(HeldLock::describe).collect(Collectors.joining("; "));
		int others = held.size() - MOST_NAMED;
		return (others > 0) ? named + "; and " + others + " more" : named;
	}

	private boolean awaitUntil(long nanos, BooleanSupplier condition) {
		long giveUp = this.context.now() + nanos;
		boolean interrupted = false;
		while (!condition.getAsBoolean() && giveUp - this.context.now() > 0) {
			this.context.clock().park(Math.min(CHECK_NANOS, giveUp - this.context.now()));
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return condition.getAsBoolean();
	}

}
