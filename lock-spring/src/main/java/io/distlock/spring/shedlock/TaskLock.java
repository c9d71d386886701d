package io.distlock.spring.shedlock;

import java.util.Optional;

import io.distlock.LockHandle;
import io.distlock.LockLostException;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of one run of a task. */
final class TaskLock extends AbstractSimpleLock {

	private static final Logger logger = LoggerFactory.getLogger(TaskLock.class);

	private final LockHandle handle;

	TaskLock(LockConfiguration configuration, LockHandle handle) {
		super(configuration);
		this.handle = handle;
	}

	/**
	 * Unlocks. A loss is logged and not thrown, because ShedLock unlocks in a
	 * {@code finally} block, where an exception would hide that of the task.
	 */
	@Override
	protected void doUnlock() {
		try {
			this.handle.close();
		}
		catch (LockLostException ex) {
			logger.warn("{}. The task may have run in another place meanwhile", ex.getMessage());
		}
	}

	/**
	 * Extends the lock. ShedLock forgets this lock even if the result is empty, so it is
	 * unlocked then.
	 */
	@Override
	protected Optional<SimpleLock> doExtend(LockConfiguration wanted) {
		// The lease is longer if the time was shorter than any lease.
		if (ClockProvider.now().isBefore(this.lockConfiguration.getLockAtMostUntil())) {
			try {
				this.handle.extend(LockTemplateLockProvider.lease(wanted));
				this.handle.holdAtLeast(LockTemplateLockProvider.minimum(wanted));
				return Optional.of(new TaskLock(wanted, this.handle));
			}
			catch (LockLostException ex) {
				logger.debug("{}", ex.getMessage());
			}
		}
		doUnlock();
		return Optional.empty();
	}

}
