package io.distlock.internal;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.distlock.internal.context.EngineContext;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.monitor.WakeTime;
import io.distlock.internal.time.ClockWatch;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.LockClock;
import io.distlock.support.LoopGuard;

/**
 * Does on one thread what is due for all keys: renewals, polls, timeouts, repetitions and
 * losses. It has no timers, because each entry says when it is due next. So a released
 * lock leaves no timer behind.
 */
final class Housekeeper implements Runnable {

	private static final String NAME = "distributed-lock-housekeeper";

	/** The least time between two rounds, so that thousands of locks share one round. */
	static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** How long a suspended machine may go unnoticed while locks are held. */
	private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LockTable table;

	private final LockClock clock;

	private final EngineContext engine;

	private final ClockWatch watch;

	private final WakeTime wakeTime;

	private final Thread thread;

	private final LoopGuard guard;

	/**
	 * Guards the visit of each key, so that a failed visit does not prevent the others.
	 */
	private final LoopGuard visits = new LoopGuard("housekeeping of a lock");

	private final Runnable turn = this::turn;

	/**
	 * Whether a clock jumped and some keys do not know it yet. Only the housekeeping
	 * thread uses this field.
	 */
	private boolean suspicious;

	/**
	 * Whether the store answers again and some keys do not know it yet. Only the
	 * housekeeping thread uses this field.
	 */
	private boolean recovered;

	/** The latest moment at which the next turn begins. */
	private volatile long turnDue;

	private volatile boolean stopping;

	private volatile boolean over;

	Housekeeper(LockTable table, EngineContext engine) {
		this.table = table;
		this.engine = engine;
		this.clock = engine.clock();
		this.guard = new LoopGuard(NAME, this.clock::park);
		this.watch = engine.watch();
		this.wakeTime = engine.wakeTime();
		this.turnDue = engine.now();
		this.thread = new Thread(this, NAME);
		this.thread.setDaemon(true);
	}

	void start() {
		this.wakeTime.wakes(this.thread);
		this.thread.start();
	}

	/**
	 * Stops once no lock is held. Until then the owners of locks are notified of losses.
	 */
	void stop() {
		this.stopping = true;
		LockSupport.unpark(this.thread);
	}

	@Override
	public void run() {
		runWhile(() -> !this.over);
	}

	void runWhile(BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			this.guard.runOrPause(this.turn);
		}
	}

	private void turn() {
		if (this.stopping && !this.table.anyHeld()) {
			this.over = true;
			return;
		}
		// With its interrupt flag set, this thread would not park but spin.
		Thread.interrupted();
		this.watch.check();
		long now = this.clock.nanoTime();
		long next = visitDue(now);
		this.turnDue = next;
		this.clock.park(next - this.clock.nanoTime());
		rest(now + ROUND_NANOS);
	}

	/**
	 * Returns how long a turn has been overdue. The result is near zero while this thread
	 * works.
	 * @param now the monotonic clock
	 * @return nanoseconds; zero or less if none is overdue
	 */
	long overdue(long now) {
		return this.over ? 0 : now - LocalDeadline.earlier(this.turnDue, this.wakeTime.get());
	}

	/**
	 * Does what is due, in one round.
	 * @param now the monotonic clock
	 * @return when the next round is due, unless the wake time is brought forward
	 */
	long visitDue(long now) {
		this.wakeTime.reset(now + LocalDeadline.FOREVER_NANOS);
		this.suspicious |= this.watch.takeSuspicion();
		if (this.suspicious) {
			this.table.all().forEach((entry) -> this.visits.run(LockEntry::suspect, entry));
			this.suspicious = false;
		}
		this.wakeTime.bringForward(this.engine.checkOutage());
		this.recovered |= this.engine.takeRecovery();
		if (this.recovered) {
			this.table.all().forEach((entry) -> this.visits.run(LockEntry::recovered, entry));
			this.recovered = false;
		}
		long next = round(now);
		// An unpark during the round may have no effect on the next park. So the wake
		// time also remembers what became due during the round.
		return this.wakeTime.bringForward(next);
	}

	private long round(long now) {
		long next = now + (this.table.isEmpty() ? LocalDeadline.FOREVER_NANOS : CHECK_NANOS);
		return round(this.table.semaphores(), now, round(this.table.all(), now, next));
	}

	private long round(Collection<? extends Monitor> all, long now, long latest) {
		long next = latest;
		for (Monitor entry : all) {
			if (entry.due() - now <= 0) {
				this.visits.run(Monitor::tick, entry);
			}
			next = LocalDeadline.earlier(next, entry.due());
		}
		return next;
	}

	private void rest(long until) {
		long left = until - this.clock.nanoTime();
		while (left > 0 && !this.stopping) {
			this.clock.park(left);
			left = until - this.clock.nanoTime();
		}
	}

}
