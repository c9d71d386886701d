package io.distlock.internal;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.distlock.spi.LockClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that does what is due for all keys: renewals, polls, timeouts,
 * repetitions, losses. It has no timers of its own: each entry says when it is due next,
 * so nothing can be left behind when a lock is released.
 */
final class Housekeeper implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	/** Rounds are at least this far apart, so that thousands of locks share one. */
	static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** How long a suspended machine may go unnoticed while locks are held. */
	private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LockTable table;

	private final LockClock clock;

	private final ClockWatch watch;

	private final Thread thread;

	private final AtomicLong wakeAt;

	private volatile boolean stopping;

	Housekeeper(LockTable table, LockClock clock, ClockWatch watch) {
		this.table = table;
		this.clock = clock;
		this.watch = watch;
		this.wakeAt = new AtomicLong(clock.nanoTime() + LocalDeadline.FOREVER_NANOS);
		this.thread = new Thread(this, "distributed-lock-housekeeper");
		this.thread.setDaemon(true);
	}

	void start() {
		this.thread.start();
	}

	/** Ends when nothing is held any more: who still holds a lock is told of its loss. */
	void stop() {
		this.stopping = true;
		LockSupport.unpark(this.thread);
	}

	/** Sees to it that the next round is not later than the given moment. */
	void wakeBy(long due) {
		// Looked at before it is written: every event of every key comes here.
		if (due - this.wakeAt.get() < 0 && due - this.wakeAt.getAndAccumulate(due, LocalDeadline::earlier) < 0) {
			LockSupport.unpark(this.thread);
		}
	}

	@Override
	public void run() {
		while (!this.stopping || this.table.anyHeld()) {
			// Whoever interrupts this thread must not make it spin.
			Thread.interrupted();
			this.watch.look();
			long now = this.clock.nanoTime();
			long next = visitDue(now);
			this.clock.park(next - this.clock.nanoTime());
			rest(now + ROUND_NANOS);
		}
	}

	/**
	 * One round: does what is due.
	 * @param now the monotonic clock
	 * @return when the next one is due, if {@link #wakeBy} does not say sooner
	 */
	long visitDue(long now) {
		this.wakeAt.set(now + LocalDeadline.FOREVER_NANOS);
		if (this.watch.takeSuspicion()) {
			this.table.all().forEach((entry) -> visit(entry, LockEntry::suspect));
		}
		long next = round(now);
		// The permit of an unpark during the round may be used up by then, so what became
		// due meanwhile is remembered here too.
		return this.wakeAt.accumulateAndGet(next, LocalDeadline::earlier);
	}

	/** When the next round is due. */
	long wakeAt() {
		return this.wakeAt.get();
	}

	private long round(long now) {
		long next = now + (this.table.isEmpty() ? LocalDeadline.FOREVER_NANOS : LOOK_NANOS);
		return round(this.table.semaphores(), now, round(this.table.all(), now, next));
	}

	private long round(Collection<? extends Tended> all, long now, long latest) {
		long next = latest;
		for (Tended tended : all) {
			if (tended.due() - now <= 0) {
				visit(tended, Tended::tick);
			}
			next = LocalDeadline.earlier(next, tended.due());
		}
		return next;
	}

	private <T> void visit(T entry, Consumer<T> action) {
		try {
			action.accept(entry);
		}
		catch (Throwable ex) {
			logger.error("Housekeeping of a lock failed; it is tried again", ex);
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
