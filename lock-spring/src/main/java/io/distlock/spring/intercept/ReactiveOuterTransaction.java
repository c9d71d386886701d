package io.distlock.spring.intercept;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.support.ForeignText;

/**
 * Keeps a lock until the end of a reactive transaction that was open before the lock was
 * taken. Until then the lock belongs to the transaction, so that the whole transaction
 * may use it.
 */
final class ReactiveOuterTransaction {

	private static final Logger logger = LoggerFactory.getLogger(ReactiveOuterTransaction.class);

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Returns the lock that was left to the open transaction earlier.
	 * @return a further handle, or empty if there is none
	 */
	static Mono<LockHandle> heldBy(LockRequest request) {
		return current().mapNotNull((transaction) -> NestedCalls.shared(request,
				(key) -> (transaction.getResource(new Key(key)) instanceof LockHandle held) ? Stream.of(held)
						: Stream.empty()));
	}

	/**
	 * Leaves the release of a lock to the open transaction, if there is one.
	 * @param lock the lock to release
	 * @param method the method with the lock
	 * @param nested whether an outer method also holds the lock
	 * @return whether the transaction will release the lock
	 */
	Mono<Boolean> releases(LockHandle lock, LockedMethod method, boolean nested) {
		return current().map((transaction) -> {
			register(transaction, lock, method.id().title(), nested);
			return true;
		}).defaultIfEmpty(false);
	}

	private static Mono<TransactionSynchronizationManager> current() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.filter((transaction) -> transaction.isSynchronizationActive() && transaction.isActualTransactionActive())
			.onErrorResume(NoTransactionException.class, (ex) -> Mono.empty());
	}

	private void register(TransactionSynchronizationManager transaction, LockHandle lock, String place,
			boolean nested) {
		List<LockHandle> first = lock.parts()
			.stream()
			.filter((part) -> !transaction.hasResource(new Key(part.key())))
			.toList();
		Releases.of(transaction).left.add(new Left(lock, place, first));
		first.forEach((part) -> transaction.bindResource(new Key(part.key()), part));
		if (!nested && this.warned.add(place)) {
			String name = transaction.getCurrentTransactionName();
			logger.warn("{} was called inside the open transaction{}: the lock is released when "
					+ "that transaction ends, not when the method returns. Call it before the transaction begins "
					+ "to hold the lock no longer than needed and to read what the previous holder committed", place,
					(name != null) ? " of " + ForeignText.of(name) : "");
		}
	}

	/** The resource under which a transaction keeps a lock. */
	private record Key(String lock) {
	}

	/**
	 * A lock that its method left to the transaction.
	 *
	 * @param lock the lock
	 * @param place the method
	 * @param resources the parts that are resources of the transaction because of it
	 */
	private record Left(LockHandle lock, String place, List<LockHandle> resources) {
	}

	/**
	 * The locks that one transaction releases. It checks and releases them as late as
	 * possible, so it has the lowest order. Each release begins in its turn, and then all
	 * answers are awaited. So a silent store delays the end of a transaction by one
	 * timeout. A failed release does not affect the others.
	 */
	private static final class Releases implements TransactionSynchronization {

		/** The resource under which a transaction keeps its releases. */
		private static final Object RESOURCE = Releases.class;

		private final Queue<Left> left = new ConcurrentLinkedQueue<>();

		private final TransactionSynchronizationManager transaction;

		private Releases(TransactionSynchronizationManager transaction) {
			this.transaction = transaction;
		}

		/**
		 * Returns the releases of a transaction. It has many locks but one such callback,
		 * and registering it again changes nothing.
		 */
		static Releases of(TransactionSynchronizationManager transaction) {
			Releases known = (Releases) transaction.getResource(RESOURCE);
			Releases current = (known != null) ? known : new Releases(transaction);
			if (known == null) {
				transaction.bindResource(RESOURCE, current);
			}
			transaction.registerSynchronization(current);
			return current;
		}

		/** Hides the locks from a transaction that begins inside of this one. */
		@Override
		public Mono<Void> suspend() {
			return Mono.fromRunnable(() -> this.transaction.unbindResourceIfPossible(RESOURCE));
		}

		@Override
		public Mono<Void> resume() {
			return Mono.fromRunnable(() -> this.transaction.bindResource(RESOURCE, this));
		}

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.fromRunnable(() -> this.left.forEach((each) -> each.lock().ensureHeld()));
		}

		@Override
		public Mono<Void> afterCompletion(int status) {
			return Mono.defer(() -> {
				this.transaction.unbindResourceIfPossible(RESOURCE);
				return Mono.whenDelayError(
						this.left.stream().map((each) -> release(each, status != STATUS_ROLLED_BACK)).toList());
			});
		}

		private Mono<Void> release(Left each, boolean committed) {
			return begin(each).onErrorResume(LockLostException.class, (loss) -> {
				if (committed) {
					logger.error("{}: the lock was lost during the commit, after the last check", each.place(), loss);
				}
				return Mono.empty();
			});
		}

		/**
		 * Begins a release. If it cannot begin, the wait for all releases reports the
		 * failure, like any other failure.
		 */
		private Mono<Void> begin(Left each) {
			try {
				each.resources().forEach((part) -> this.transaction.unbindResourceIfPossible(new Key(part.key())));
				return Mono.fromCompletionStage(each.lock().closeAsync());
			}
			catch (RuntimeException | Error ex) {
				return Mono.error(ex);
			}
		}

	}

}
