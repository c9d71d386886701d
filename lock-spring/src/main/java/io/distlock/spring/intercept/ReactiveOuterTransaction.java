package io.distlock.spring.intercept;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
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
		Releases together = transaction.getSynchronizations()
			.stream()
			.filter(Release.class::isInstance)
			.map((earlier) -> ((Release) earlier).together)
			.findFirst()
			.orElseGet(Releases::new);
		together.expect();
		transaction.registerSynchronization(new Release(lock, place, together,
				() -> first.forEach((part) -> transaction.unbindResourceIfPossible(new Key(part.key())))));
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

	/** Checks and releases the lock as late as possible, so it has the lowest order. */
	private record Release(LockHandle lock, String place, Releases together,
			Runnable unbind) implements TransactionSynchronization {

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.fromRunnable(this.lock::ensureHeld);
		}

		@Override
		public Mono<Void> afterCompletion(int status) {
			return Mono.defer(() -> {
				Mono<Void> closing = begin(this.unbind, this.lock::closeAsync);
				return this.together.release(
						closing.onErrorResume(LockLostException.class, (ex) -> lost(ex, status != STATUS_ROLLED_BACK)));
			});
		}

		/**
		 * Begins a release. If it cannot begin, the wait for all releases reports the
		 * failure, like any other failure.
		 */
		private static Mono<Void> begin(Runnable unbind, Supplier<CompletionStage<@Nullable Void>> close) {
			try {
				CompletionStage<@Nullable Void> closing;
				try {
					unbind.run();
				}
				finally {
					closing = close.get();
				}
				return Mono.fromCompletionStage(closing);
			}
			catch (RuntimeException | Error ex) {
				return Mono.error(ex);
			}
		}

		private Mono<Void> lost(LockLostException loss, boolean committed) {
			if (committed) {
				logger.error("{}: the lock was lost during the commit, after the last check", this.place, loss);
			}
			return Mono.empty();
		}

	}

	/**
	 * The releases of one transaction. Each release begins in its turn, and the last
	 * release waits for all answers. So a silent store delays the end of a transaction by
	 * one timeout. A failed release does not affect the others.
	 */
	private static final class Releases {

		private final AtomicInteger open = new AtomicInteger();

		private final Queue<Mono<Void>> begun = new ConcurrentLinkedQueue<>();

		private void expect() {
			this.open.incrementAndGet();
		}

		private Mono<Void> release(Mono<Void> closing) {
			this.begun.add(closing);
			return (this.open.decrementAndGet() == 0) ? Mono.whenDelayError(this.begun) : Mono.empty();
		}

	}

}
