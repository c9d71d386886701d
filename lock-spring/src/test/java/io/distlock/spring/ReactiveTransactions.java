package io.distlock.spring;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Reactive transactions on nothing, which write down what is done to them, on threads of
 * their own as a driver does.
 */
final class ReactiveTransactions extends AbstractReactiveTransactionManager {

	private static final long serialVersionUID = 1L;

	private final transient Queue<String> events = new ConcurrentLinkedQueue<>();

	private transient volatile BooleanSupplier locked = () -> false;

	Queue<String> events() {
		return this.events;
	}

	/** Whether the lock is held is part of what is written down. */
	void watch(BooleanSupplier locked) {
		this.events.clear();
		this.locked = locked;
	}

	private Mono<Void> write(String event) {
		return Mono
			.<Void>fromRunnable(() -> this.events.add(event + (this.locked.getAsBoolean() ? " locked" : " free")))
			.subscribeOn(Schedulers.boundedElastic());
	}

	@Override
	protected Object doGetTransaction(TransactionSynchronizationManager manager) {
		Object known = manager.getResource(this);
		return (known != null) ? known : new Object();
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return transaction instanceof String;
	}

	@Override
	protected Mono<Void> doBegin(TransactionSynchronizationManager manager, Object transaction,
			TransactionDefinition definition) {
		return write("begin").doOnSuccess((begun) -> manager.bindResource(this, "transaction"));
	}

	@Override
	protected Mono<Object> doSuspend(TransactionSynchronizationManager manager, Object transaction) {
		return Mono.fromSupplier(() -> Objects.requireNonNull(manager.unbindResource(this)));
	}

	@Override
	protected Mono<Void> doResume(TransactionSynchronizationManager manager, @Nullable Object transaction,
			Object suspended) {
		return Mono.fromRunnable(() -> manager.bindResource(this, suspended));
	}

	@Override
	protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
		return write("commit");
	}

	@Override
	protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
		return write("rollback");
	}

	@Override
	protected Mono<Void> doSetRollbackOnly(TransactionSynchronizationManager manager,
			GenericReactiveTransaction status) {
		return Mono.fromRunnable(status::setRollbackOnly);
	}

	@Override
	protected Mono<Void> doCleanupAfterCompletion(TransactionSynchronizationManager manager, Object transaction) {
		return Mono.fromRunnable(() -> manager.unbindResourceIfPossible(this));
	}

}
