package io.distlock.internal;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.distlock.internal.key.EngineContext;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Monitor;
import io.distlock.internal.time.ClockWatch;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.time.WakeTime;
import io.distlock.spi.LockClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that does what is due for all keys: renewals, polls, timeouts,
 * repetitions, losses. It has no timers: each entry says when it is due next, so nothing
 * is left behind when a lock is released.
 */
final class Housekeeper implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Housekeeper.class);

	/** Rounds are at least this far apart, so that thousands of locks share one. */
	static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** How long a suspended machine may go unnoticed while locks are held. */
	private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LockTable table;

	private final LockClock clock;

	private final ClockWatch watch;

	private final WakeTime wakeTime;

	private final Thread thread;

	private volatile boolean stopping;

	Housekeeper(LockTable table, EngineContext engine) {
		this.table = table;
		this.clock = engine.clock();
		this.watch = engine.watch();
		this.wakeTime = engine.wakeTime();
		this.thread = new Thread(this, "distributed-lock-housekeeper");
		this.thread.setDaemon(true);
	}

	void start() {
		this.wakeTime.wakes(this.thread);
		this.thread.start();
	}

	/**
	 * Stops once nothing is held: until then the owners of locks are notified of losses.
	 */
	void stop() {
		this.stopping = true;
		LockSupport.unpark(this.thread);
	}

	@Override
	public void run() {
		while (!this.stopping || this.table.anyHeld()) {
			// An interrupt must not make this thread spin.
			Thread.interrupted();
			this.watch.check();
			long now = this.clock.nanoTime();
			long next = visitDue(now);
			this.clock.park(next - this.clock.nanoTime());
			rest(now + ROUND_NANOS);
		}
	}

	/**
	 * One round: does what is due.
	 * @param now the monotonic clock
	 * @return when the next one is due, unless the wake time is brought forward
	 */
	long visitDue(long now) {
		this.wakeTime.reset(now + LocalDeadline.FOREVER_NANOS);
		if (this.watch.takeSuspicion()) {
			this.table.all().forEach((entry) -> visit(entry, LockEntry::suspect));
		}
		long next = round(now);
		// The permit of an unpark during the round may be used up by then, so what became
		// due meanwhile is remembered here too.
		return this.wakeTime.settle(next);
	}

	private long round(long now) {
		long next = now + (this.table.isEmpty() ? LocalDeadline.FOREVER_NANOS : CHECK_NANOS);
		return round(this.table.semaphores(), now, round(this.table.all(), now, next));
	}

	private long round(Collection<? extends Monitor> all, long now, long latest) {
		long next = latest;
		for (Monitor entry : all) {
			if (entry.due() - now <= 0) {
				visit(entry, Monitor::tick);
			}
			next = LocalDeadline.earlier(next, entry.due());
		}
		return next;
	}

	private <T> void visit(T entry, Consumer<T> action) {
		try {
			action.accept(entry);
		}
		catch (Throwable ex) {
			logger.error("Housekeeping of a lock failed; it is repeated", ex);
		}
	}

	private void rest(long until) {
		long left = until - this.clock.nanoTime();
		while (left > 0 && !this.stopping) {
			this.clock.park(left);
			left = until - this.clock.nanoTime();
		}
	}

}
