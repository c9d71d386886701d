package io.distlock.spring.intercept;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.LockException;
import io.distlock.observe.LockNotTaken;
import io.distlock.spring.local.LocalRuns;

/**
 * Runs the body without its lock. Logs a warning, at most once a minute for each method:
 * a store that is away makes every call fail.
 */
final class RunUnlockedPolicy implements NoLockPolicy {

	private static final Logger logger = LoggerFactory.getLogger(RunUnlockedPolicy.class);

	private final UnlockedCalls unlocked;

	private final LocalRuns runs;

	/**
	 * Creates it.
	 * @param title names the method
	 * @param unlocked reports each run
	 * @param clock monotonic
	 */
	RunUnlockedPolicy(String title, UnlockedCalls unlocked, LongSupplier clock) {
		this.unlocked = unlocked;
		this.runs = new LocalRuns(title, clock);
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		this.unlocked.report(call.method(), LockNotTaken.Reason.STORE_FAILURE);
		long runs = this.runs.next();
		if (runs > 0) {
			logger.warn("{}: runs WITHOUT its lock, {} time(s) since the last warning "
					+ "(onStoreFailure is RUN_WITHOUT_LOCK): {}", this.runs.title(), runs, reason.getMessage());
		}
		return call.proceedBody();
	}

}
