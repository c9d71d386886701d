package io.distlock.spring.intercept;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

import io.distlock.EngineHandle;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.support.ForeignText;

/**
 * Keeps a lock until the end of a transaction that was open before the lock was taken.
 * The changes of such a transaction become visible only when it commits, after the method
 * has returned.
 */
final class OuterTransaction {

	private static final Logger logger = LoggerFactory.getLogger(OuterTransaction.class);

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Leaves the release of a lock to the open transaction, if there is one.
	 * @param lock the lock to release
	 * @param method the method with the lock
	 * @return whether the transaction will release the lock
	 */
	boolean releases(LockHandle lock, LockedMethod method) {
		if (!isOpen()) {
			return false;
		}
		String place = method.id().title();
		Releases together = completions().map((earlier) -> earlier.together).findFirst().orElseGet(Releases::new);
		TransactionSynchronizationManager.registerSynchronization(new Completion(lock, place, together));
		if (!isNested(lock) && this.warned.add(place)) {
			logger.warn("{} was called inside the open transaction{}: the lock is released when "
					+ "that transaction ends, not when the method returns. Call it before the transaction begins "
					+ "to hold the lock no longer than needed and to read what the previous holder committed", place,
					ofTransaction());
		}
		return true;
	}

	/**
	 * Limits the wait time of a request to the remaining time of an open transaction.
	 * @param request the request
	 * @return the request, limited to the remaining timeout, if there is one
	 */
	LockRequest withinTimeout(LockRequest request) {
		Instant deadline = isOpen() ? deadline() : null;
		if (deadline == null) {
			return request;
		}
		long left = Duration.between(Instant.now(), deadline).toMillis();
		return request.limitWait(Duration.ofMillis(Math.max(0, left)),
				"all that was left of the timeout of the open transaction" + ofTransaction());
	}

	/** Returns the deadline of the resource that has the timeout of the transaction. */
	private static @Nullable Instant deadline() {
		return TransactionSynchronizationManager.getResourceMap()
			.values()
			.stream()
			.filter((resource) -> resource instanceof ResourceHolderSupport holder && holder.hasTimeout())
			.map((resource) -> ((ResourceHolderSupport) resource).getDeadline())
			.filter(Objects::nonNull)
			.map(Date::toInstant)
			.min(Comparator.naturalOrder())
			.orElse(null);
	}

	/** Returns the locks that the transaction of this thread will release. */
	static List<LockHandle> locks() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				? completions().map((completion) -> completion.lock).toList() : List.of();
	}

	private static Stream<Completion> completions() {
		return TransactionSynchronizationManager.getSynchronizations()
			.stream()
			.filter(Completion.class::isInstance)
			.map(Completion.class::cast);
	}

	private static boolean isOpen() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive();
	}

	private static String ofTransaction() {
		String name = TransactionSynchronizationManager.getCurrentTransactionName();
		return (name != null) ? " of " + ForeignText.of(name) : "";
	}

	/**
	 * Returns whether outer methods already hold the same locks. If so, no lock is held
	 * longer.
	 */
	private static boolean isNested(LockHandle lock) {
		Set<String> outer = LockContext.all().stream().map(LockHandle::key).collect(Collectors.toSet());
		return lock.parts().stream().allMatch((part) -> outer.contains(part.key()));
	}

	/**
	 * Checks the lock before the commit, and releases it at the very end. Among callbacks
	 * of equal order, the last registered callback runs last. So this class registers the
	 * release after the body and after all callbacks before the completion. Listeners
	 * that run after the commit thus run under the lock.
	 */
	private static final class Completion implements TransactionSynchronization {

		private final LockHandle lock;

		private final String place;

		private final Releases together;

		private volatile boolean left;

		private Completion(LockHandle lock, String place, Releases together) {
			this.lock = lock;
			this.place = place;
			this.together = together;
			together.expect();
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			this.lock.ensureHeld();
		}

		@Override
		public void beforeCompletion() {
			if (TransactionSynchronizationManager.isSynchronizationActive()) {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						release(status);
					}

				});
				this.left = true;
			}
		}

		@Override
		public void afterCompletion(int status) {
			if (!this.left) {
				release(status);
			}
		}

		private void release(int status) {
			this.together.release(this.lock, this.place, status != STATUS_ROLLED_BACK);
		}

	}

	/**
	 * The releases of one transaction. Each release begins in its turn, and the last
	 * release waits for all answers. So a silent store delays the end of a transaction by
	 * one timeout, not by one timeout per lock. A failed release does not affect the
	 * others.
	 */
	private static final class Releases {

		private final AtomicInteger open = new AtomicInteger();

		private final Queue<Begun> begun = new ConcurrentLinkedQueue<>();

		private void expect() {
			this.open.incrementAndGet();
		}

		private void release(LockHandle lock, String place, boolean committed) {
			boolean last = this.open.decrementAndGet() == 0;
			boolean alone = last && this.begun.isEmpty();
			this.begun.add(new Begun(begin(lock, alone), place, committed));
			if (last) {
				awaitAll();
			}
		}

		private static EngineHandle.Closing begin(LockHandle lock, boolean alone) {
			if (alone) {
				// The calling thread may send the command itself.
				return lock::close;
			}
			try {
				if (lock instanceof EngineHandle handle) {
					return handle.beginClose();
				}
				lock.close();
				return () -> {
				};
			}
			catch (RuntimeException | Error ex) {
				return () -> {
					throw ex;
				};
			}
		}

		private void awaitAll() {
			List<Throwable> failures = new ArrayList<>();
			for (Begun each : this.begun) {
				try {
					each.await();
				}
				catch (RuntimeException | Error ex) {
					failures.add(ex);
				}
			}
			if (!failures.isEmpty()) {
				Throwable first = failures.get(0);
				failures.stream().skip(1).filter((other) -> other != first).forEach(first::addSuppressed);
				ReflectionUtils.rethrowRuntimeException(first);
			}
		}

	}

	private record Begun(EngineHandle.Closing closing, String place, boolean committed) {

		private void await() {
			try {
				this.closing.await();
			}
			catch (LockLostException ex) {
				if (this.committed) {
					logger.error("{}: the lock was lost during the commit, after the last check", this.place, ex);
				}
			}
		}

	}

}
