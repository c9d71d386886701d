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
		Releases.ofTransaction().leave(lock, place);
		if (!isNested(lock) && this.warned.add(place)) {
			logger.warn("{} was called inside the open transaction{}: the lock is released when "
					+ "that transaction ends, not when the method returns. Call it before the transaction begins "
					+ "to hold the lock no longer than needed and to read what the previous holder committed", place,
					ofTransaction());
		}
		return true;
	}

	/**
	 * Warns if a transaction is open, and the body will run on another thread and so
	 * outside of that transaction.
	 * @param method the method
	 */
	void leftByBody(LockedMethod method) {
		String place = method.id().title();
		if (isOpen() && this.warned.add(place)) {
			logger
				.warn("{} was called inside the open transaction{}, but its body runs on another thread and outside of "
						+ "that transaction: it does not see what the transaction has changed, its own changes stay after a "
						+ "rollback, and it may wait for rows that the transaction has locked. Call it before the transaction "
						+ "begins, or let it return its finished result", place, ofTransaction());
		}
	}

	/**
	 * Limits the wait time of a request to the remaining time of an open transaction.
	 * @param request the request
	 * @return the request, limited to the remaining timeout, if there is one
	 */
	LockRequest withinTimeout(LockRequest request) {
		if (!isOpen()) {
			return request;
		}
		Releases.ofTransaction().asked = request;
		Instant deadline = deadline();
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
				? Releases.all().flatMap(Releases::locks).toList() : List.of();
	}

	/**
	 * Returns whether a lock outlives the open transaction, or belongs to an annotated
	 * method, which sees to that.
	 */
	static boolean keeps(String key) {
		return Releases.keeps(key) || LockContext.all().stream().anyMatch((lock) -> lock.key().equals(key));
	}

	static boolean isOpen() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive();
	}

	/** Names the open transaction after the method that opened it, if that is known. */
	static String ofTransaction() {
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
	 * The locks that one transaction releases. It checks them before the commit, and
	 * releases them at the very end. Among callbacks of equal order, the last registered
	 * callback runs last. So this class registers the release after the body and after
	 * all callbacks before the completion. Listeners that run after the commit thus run
	 * under the locks.
	 * <p>
	 * Each release begins in its turn, and then all answers are awaited. So a silent
	 * store delays the end of a transaction by one timeout, not by one timeout per lock.
	 * A failed release does not affect the others.
	 */
	private static final class Releases implements TransactionSynchronization {

		/** The resource under which a transaction keeps its releases. */
		private static final Object RESOURCE = Releases.class;

		private final Queue<Left> left = new ConcurrentLinkedQueue<>();

		/** The last request of an annotated method. */
		private volatile @Nullable LockRequest asked;

		private volatile boolean registeredLast;

		/**
		 * Returns the releases of the open transaction. A transaction has many locks but
		 * one such callback, and registering it again changes nothing. So what another
		 * transaction of this thread may have left behind is released with this one.
		 */
		static Releases ofTransaction() {
			Releases current = find();
			if (current == null) {
				current = new Releases();
				current.bind();
			}
			TransactionSynchronizationManager.registerSynchronization(current);
			return current;
		}

		/**
		 * The resource saves a look at all callbacks. It is gone when completion begins.
		 */
		private static @Nullable Releases find() {
			return (TransactionSynchronizationManager.getResource(RESOURCE) instanceof Releases known) ? known
					: all().findFirst().orElse(null);
		}

		static Stream<Releases> all() {
			return TransactionSynchronizationManager.getSynchronizations()
				.stream()
				.filter(Releases.class::isInstance)
				.map(Releases.class::cast);
		}

		private void bind() {
			if (TransactionSynchronizationManager.getResource(RESOURCE) != this) {
				TransactionSynchronizationManager.unbindResourceIfPossible(RESOURCE);
				TransactionSynchronizationManager.bindResource(RESOURCE, this);
			}
		}

		private void unbind() {
			if (TransactionSynchronizationManager.getResource(RESOURCE) == this) {
				TransactionSynchronizationManager.unbindResource(RESOURCE);
			}
		}

		void leave(LockHandle lock, String place) {
			this.left.add(new Left(lock, place));
		}

		static boolean keeps(String key) {
			Releases releases = find();
			return releases != null && (releases.isAsked(key) || releases.locks()
				.flatMap((lock) -> lock.parts().stream())
				.anyMatch((lock) -> lock.key().equals(key)));
		}

		private boolean isAsked(String key) {
			LockRequest last = this.asked;
			return last != null && last.keys().contains(key);
		}

		Stream<LockHandle> locks() {
			return this.left.stream().map(Left::lock);
		}

		/** Hides the locks from a transaction that begins inside of this one. */
		@Override
		public void suspend() {
			unbind();
		}

		@Override
		public void resume() {
			bind();
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			locks().forEach(LockHandle::ensureHeld);
		}

		@Override
		public void beforeCompletion() {
			unbind();
			if (TransactionSynchronizationManager.isSynchronizationActive()) {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						release(status);
					}

				});
				this.registeredLast = true;
			}
		}

		@Override
		public void afterCompletion(int status) {
			unbind();
			if (!this.registeredLast) {
				release(status);
			}
		}

		private void release(int status) {
			boolean committed = status != STATUS_ROLLED_BACK;
			boolean alone = this.left.size() == 1;
			List<Begun> begun = new ArrayList<>();
			for (Left next = this.left.poll(); next != null; next = this.left.poll()) {
				begun.add(new Begun(begin(next.lock(), alone), next.place(), committed));
			}
			awaitAll(begun);
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

		private static void awaitAll(List<Begun> begun) {
			List<Throwable> failures = new ArrayList<>();
			for (Begun each : begun) {
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

	/**
	 * A lock that its method left to the transaction.
	 *
	 * @param lock the lock
	 * @param place the method
	 */
	private record Left(LockHandle lock, String place) {
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
