package io.distlock.boot.test;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.assertj.core.api.AbstractAssert;

import io.distlock.LockLoss;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockRefused;
import io.distlock.observe.RefusalReason;
import io.distlock.support.KeyText;

/**
 * Assertions about what happened to locks since the test method began. Acquisitions by
 * {@link LockTester} do not count, nor does the nested acquisition of a lock that its
 * thread holds already. Acquisitions on threads of no test count for all tests that run.
 */
public class LocksAssert extends AbstractAssert<LocksAssert, Object> {

	/** Losses and releases may be reported a moment later, by another thread. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	final TestRun run;

	LocksAssert(TestRun run) {
		super(run, LocksAssert.class);
		this.run = run;
	}

	/**
	 * Verifies that a lock was acquired, however often.
	 * @param key the lock
	 * @return assertions about these acquisitions
	 */
	public AcquiredAssert acquired(String key) {
		return new AcquiredAssert(this.run, key);
	}

	/**
	 * Verifies that a lock was never acquired.
	 * @param key the lock
	 * @return this assertion
	 */
	public LocksAssert neverAcquired(String key) {
		return times(key, 0);
	}

	/**
	 * Verifies that a caller was refused because a lock was busy.
	 * @param key the lock
	 * @return this assertion
	 */
	public LocksAssert refused(String key) {
		Collection<LockRefused> all = this.run.refused;
		if (all.stream().noneMatch((refused) -> refused.key().equals(key) && isBusy(refused.reason()))) {
			throw failure("%s was not refused as busy to anybody; refused: %s", lock(key),
					list(all, LockRefused::describe));
		}
		return this;
	}

	private static boolean isBusy(RefusalReason reason) {
		return reason == RefusalReason.BUSY || reason == RefusalReason.TOO_MANY_WAITERS;
	}

	/**
	 * Verifies that a lock was lost while it was held.
	 * @param key the lock
	 * @return this assertion
	 */
	public LocksAssert lost(String key) {
		Collection<LockLoss> all = this.run.lost;
		if (!TestRun.within(PATIENCE, () -> all.stream().anyMatch((loss) -> loss.key().equals(key)))) {
			throw failure("%s was not lost; lost: %s", lock(key), list(all, LockLoss::describe));
		}
		return this;
	}

	/**
	 * Verifies that no lock that was acquired is held any more. Minimum holds do not
	 * count.
	 * @return this assertion
	 */
	public LocksAssert nothingHeld() {
		if (!TestRun.within(PATIENCE, () -> this.run.held.isEmpty())) {
			throw failure("Locks are still held: %s", list(this.run.held.values(), LockAcquired::describe));
		}
		return this;
	}

	LocksAssert times(String key, int times) {
		Collection<LockAcquired> all = this.run.acquired;
		long found = all.stream().filter((acquired) -> acquired.key().equals(key)).count();
		if (found != times) {
			throw failure("%s was acquired %d times instead of %d; acquired: %s", lock(key), found, times,
					list(all, LockAcquired::describe));
		}
		return this;
	}

	/** Returns the place of the first acquisition. */
	int first(String key) {
		Collection<LockAcquired> all = this.run.acquired;
		int first = all.stream().map(LockAcquired::key).toList().indexOf(key);
		if (first < 0) {
			throw failure("%s was not acquired; acquired: %s", lock(key), list(all, LockAcquired::describe));
		}
		return first;
	}

	private static String lock(String key) {
		return "Lock '" + KeyText.of(key) + "'";
	}

	private static <T> String list(Collection<T> all, Function<T, String> description) {
		return all.isEmpty() ? "none" : all.stream().map(description).collect(Collectors.joining("\n  ", "\n  ", ""));
	}

	/** Assertions about the acquisitions of one lock. */
	public static final class AcquiredAssert extends LocksAssert {

		private final String key;

		private final int first;

		AcquiredAssert(TestRun run, String key) {
			super(run);
			this.key = key;
			this.first = first(key);
		}

		/**
		 * Verifies that the lock was acquired exactly once.
		 * @return this assertion
		 */
		public AcquiredAssert once() {
			return times(1);
		}

		/**
		 * Verifies how often the lock was acquired.
		 * @param times the exact number
		 * @return this assertion
		 */
		public AcquiredAssert times(int times) {
			times(this.key, times);
			return this;
		}

		/**
		 * Verifies that this lock was acquired before another one, each for the first
		 * time.
		 * @param other the other lock
		 * @return assertions about the acquisitions of the other lock
		 */
		public AcquiredAssert before(String other) {
			AcquiredAssert later = new AcquiredAssert(this.run, other);
			if (this.first >= later.first) {
				throw failure("Lock '%s' was not acquired before lock '%s', but after it", KeyText.of(this.key),
						KeyText.of(other));
			}
			return later;
		}

	}

}
