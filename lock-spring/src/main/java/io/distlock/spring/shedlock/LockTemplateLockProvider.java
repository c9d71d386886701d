package io.distlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * The lock provider of ShedLock on a {@link LockTemplate}. The name of a job is the key
 * of its lock, so {@code @SchedulerLock(name = "report")} and
 * {@code @DistributedLock(name = "report")} exclude each other. {@code lockAtMostFor} is
 * a fixed lease, {@code lockAtLeastFor} a minimum hold.
 * <p>
 * A lock belongs to the task, not to a thread: it is not reentrant, and any thread may
 * unlock it. {@link #lock} returns an empty result only if the lock is busy. If the store
 * cannot answer, it throws a {@link io.distlock.LockStoreException}. If a task runs for
 * longer than {@code lockAtMostFor}, or its lock is lost in another way, a warning is
 * logged at its end, and observers of locks are notified.
 */
public final class LockTemplateLockProvider implements ExtensibleLockProvider {

	private final LockTemplate locks;

	/**
	 * Creates a provider.
	 * @param locks acquires the locks
	 */
	public LockTemplateLockProvider(LockTemplate locks) {
		this.locks = locks;
	}

	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		String name = configuration.getName();
		LockRequest request = LockRequest.of(name).named(name).waitAtMost(Duration.ZERO).leaseFor(lease(configuration));
		if (!configuration.getLockAtLeastFor().isZero()) {
			request = request.holdAtLeast(minimum(configuration));
		}
		try {
			LockHandle handle = this.locks.acquireAsync(request).toCompletableFuture().join();
			return Optional.of(new TaskLock(configuration, handle));
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof LockBusyException) {
				return Optional.empty();
			}
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw ex;
		}
	}

	/**
	 * A shorter time than any lease makes the shortest lease: the lock is held longer.
	 */
	static Duration lease(LockConfiguration configuration) {
		Duration atMost = configuration.getLockAtMostFor();
		if (atMost.compareTo(LockRequest.MIN_LEASE) < 0) {
			return LockRequest.MIN_LEASE;
		}
		return shorter(atMost, LockRequest.MAX_LEASE);
	}

	static Duration minimum(LockConfiguration configuration) {
		return shorter(configuration.getLockAtLeastFor(), LockRequest.MAX_LEASE);
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
