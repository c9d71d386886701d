package io.distlock.spring.intercept;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.LockException;
import io.distlock.observe.LockNotTaken;

/**
 * Runs the body without its lock. Logs a warning at most once a minute for each method,
 * because a store that is away makes every call fail.
 */
final class RunUnlockedPolicy implements NoLockPolicy {

	private static final Logger logger = LoggerFactory.getLogger(RunUnlockedPolicy.class);

	private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongAdder unreported = new LongAdder();

	private final String title;

	private final UnlockedCalls unlocked;

	private final LongSupplier clock;

	private final AtomicLong quietUntil;

	/**
	 * Creates a policy.
	 * @param title names the method
	 * @param unlocked reports each run
	 * @param clock the monotonic clock
	 */
	RunUnlockedPolicy(String title, UnlockedCalls unlocked, LongSupplier clock) {
		this.title = title;
		this.unlocked = unlocked;
		this.clock = clock;
		this.quietUntil = new AtomicLong(clock.getAsLong());
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		this.unlocked.report(call.method(), LockNotTaken.Reason.STORE_FAILURE);
		this.unreported.increment();
		long runs = runsToLog();
		if (runs > 0) {
			logger.warn("{}: runs WITHOUT its lock, {} time(s) since the last warning "
					+ "(onStoreFailure is RUN_WITHOUT_LOCK): {}", this.title, runs, reason.getMessage());
		}
		return call.proceedBody();
	}

	/** Returns how many runs to log, or zero if it is too early for a log line. */
	private long runsToLog() {
		long now = this.clock.getAsLong();
		long until = this.quietUntil.get();
		boolean logs = now - until >= 0 && this.quietUntil.compareAndSet(until, now + PAUSE_NANOS);
		return logs ? this.unreported.sumThenReset() : 0;
	}

}
