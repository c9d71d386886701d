package io.distlock.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

import io.distlock.ClockJump;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import io.distlock.spring.intercept.LocksInTransactions;

/**
 * Notifies all observers of the application. It looks up the observers when all
 * singletons exist, because an observer may need the template. It does not look them up
 * later, because a hold may outlive its context. It also warns of locks that are taken
 * inside of open transactions.
 */
final class LockObservers implements LockObserver, SmartInitializingSingleton {

	private final ObjectProvider<LockObserver> observers;

	private final @Nullable LocksInTransactions transactions = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			LockObservers.class.getClassLoader()) ? new LocksInTransactions() : null;

	private volatile LockObserver all = LockObserver.NONE;

	LockObservers(ObjectProvider<LockObserver> observers) {
		this.observers = observers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.all = LockObserver.all(this.observers.orderedStream().filter((observer) -> observer != this).toList());
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		if (this.transactions != null) {
			this.transactions.acquiring(request);
		}
		return this.all.acquiring(store, request);
	}

	@Override
	public void lost(LockLoss loss) {
		this.all.lost(loss);
	}

	@Override
	public void heldTooLong(LockOverrun overrun) {
		this.all.heldTooLong(overrun);
	}

	@Override
	public void clockJumped(ClockJump jump) {
		this.all.clockJumped(jump);
	}

	@Override
	public void notTaken(LockNotTaken lock) {
		this.all.notTaken(lock);
	}

	@Override
	public boolean observesCommands() {
		return this.all.observesCommands();
	}

	@Override
	public void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
		this.all.commandEnded(store, command, nanos, failure);
	}

}
