package io.distlock.spring.intercept;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * A reactive transaction that was open before the lock was taken: the lock has to last
 * until it is over, and until then belongs to the transaction, so that all of it may use
 * it.
 */
final class ReactiveOuterTransaction {

	private static final Logger logger = LoggerFactory.getLogger(ReactiveOuterTransaction.class);

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * The lock that was left to the open transaction earlier.
	 * @return a further handle, or empty if there is none
	 */
	Mono<LockHandle> heldBy(LockRequest request) {
		return current().mapNotNull((transaction) -> NestedCalls.shared(request,
				(key) -> (transaction.getResource(new Key(key)) instanceof LockHandle held) ? Stream.of(held)
						: Stream.empty()));
	}

	/**
	 * Leaves the release of a lock to the transaction, if one is open.
	 * @param lock what to release
	 * @param method for which it was taken
	 * @param nested whether an outer method holds it too
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
		transaction.registerSynchronization(new Release(lock, place,
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

	/** Under which a transaction has a lock. */
	private record Key(String lock) {
	}

	/** Of the lowest order: checks as late, and releases as late, as possible. */
	private record Release(LockHandle lock, String place, Runnable unbind) implements TransactionSynchronization {

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.fromRunnable(this.lock::ensureHeld);
		}

		@Override
		public Mono<Void> afterCompletion(int status) {
			return Mono.defer(() -> {
				this.unbind.run();
				return Mono.fromCompletionStage(this.lock.closeAsync());
			}).onErrorResume(LockLostException.class, (ex) -> {
				if (status != STATUS_ROLLED_BACK) {
					logger.error("{}: the lock was lost during the commit, after the last check", this.place, ex);
				}
				return Mono.empty();
			}).then();
		}

	}

}
