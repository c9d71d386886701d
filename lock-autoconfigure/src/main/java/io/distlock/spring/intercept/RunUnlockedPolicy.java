package io.distlock.spring.intercept;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.LockException;

/**
 * Runs the body without its lock. Logs a warning, at most once a minute for each method:
 * a store that is away makes every call fail.
 */
final class RunUnlockedPolicy implements NoLockPolicy {

	private static final Logger logger = LoggerFactory.getLogger(RunUnlockedPolicy.class);

	private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongAdder total;

	private final LongSupplier clock;

	private final LongAdder unreported = new LongAdder();

	private final AtomicLong quietUntil;

	/**
	 * Creates it.
	 * @param total counts the runs of all methods
	 * @param clock monotonic
	 */
	RunUnlockedPolicy(LongAdder total, LongSupplier clock) {
		this.total = total;
		this.clock = clock;
		this.quietUntil = new AtomicLong(clock.getAsLong());
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		this.total.increment();
		long runs = runsToLog();
		if (runs > 0) {
			logger.warn(
					"{}: runs WITHOUT its lock, {} time(s) since the last warning "
							+ "(onStoreFailure is RUN_WITHOUT_LOCK): {}",
					call.method().id().title(), runs, reason.getMessage());
		}
		return call.proceedWithoutLock();
	}

	private long runsToLog() {
		this.unreported.increment();
		long now = this.clock.getAsLong();
		long until = this.quietUntil.get();
		boolean logs = now - until >= 0 && this.quietUntil.compareAndSet(until, now + PAUSE_NANOS);
		return logs ? this.unreported.sumThenReset() : 0;
	}

}
