package io.distlock.spring.intercept;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.spring.CommitCheck;

/**
 * Checks right before each commit of a transaction manager that every lock of the running
 * method is still held. If one was lost, the transaction is rolled back and committing
 * throws {@link LockLostException}.
 * <p>
 * It checks the locks of {@link LockContext} on the committing thread by their local
 * deadlines, without a request to a server. These are the locks of annotated methods and
 * of {@code LockTemplate.execute} and {@code run}, however they are nested. The check
 * covers each transaction that begins inside of a locked body, also nested and read-only
 * transactions. It also covers a transaction that was open before its lock was taken,
 * even if the transaction manager has no listeners.
 */
public final class CommitGuard implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(CommitGuard.class);

	private final TransactionExecutionListener check;

	private final boolean enabled;

	/**
	 * Creates a guard.
	 * @param enabled {@code false} for a guard that checks nothing
	 */
	public CommitGuard(boolean enabled) {
		this(enabled, List::of);
	}

	/**
	 * Creates a guard that also runs further checks.
	 * @param enabled {@code false} for a guard that checks nothing
	 * @param checks the further checks, called in this order after the local deadlines;
	 * fetched once, before the first commit under a lock
	 */
	public CommitGuard(boolean enabled, Supplier<List<CommitCheck>> checks) {
		this.enabled = enabled;
		this.check = new Check(SingletonSupplier.of(checks));
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AbstractPlatformTransactionManager manager && manager
			.getTransactionSynchronization() == AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER) {
			logger
				.warn("Transaction manager '{}' hides its transactions from locks (SYNCHRONIZATION_NEVER): a lock that "
						+ "is taken inside such a transaction is released before the commit, so updates can be lost. Take "
						+ "the lock before the transaction begins, or call setTransactionSynchronization("
						+ "SYNCHRONIZATION_ON_ACTUAL_TRANSACTION) on the manager", beanName);
		}
		if (!this.enabled) {
			return bean;
		}
		if (bean instanceof ConfigurableTransactionManager manager) {
			manager.addListener(this.check);
		}
		else if (bean instanceof TransactionManager) {
			logger.warn(
					"Transaction manager '{}' takes no listeners: its commits are not prevented when a lock was "
							+ "lost, unless the method calls LockContext.current().orElseThrow().ensureHeld() itself",
					beanName);
		}
		return bean;
	}

	/**
	 * Throws before a commit if a lock is lost. The transaction manager must then roll
	 * back.
	 */
	private static final class Check implements TransactionExecutionListener {

		/** The locks of transactions that belong to no thread. */
		private final Map<TransactionExecution, ReactiveLocks> reactive = Collections
			.synchronizedMap(new WeakHashMap<>());

		private final Supplier<List<CommitCheck>> checks;

		private Check(Supplier<List<CommitCheck>> checks) {
			this.checks = checks;
		}

		@Override
		public void beforeBegin(TransactionExecution transaction) {
			ReactiveLocks locks = ReactiveLocks.subscribing();
			if (!locks.all().isEmpty()) {
				this.reactive.put(transaction, locks);
			}
		}

		@Override
		public void beforeCommit(TransactionExecution transaction) {
			LockContext.all().forEach(LockHandle::ensureHeld);
			this.reactive.getOrDefault(transaction, ReactiveLocks.NONE).ensureHeld();
			// Locks that the transaction releases are no longer in the context.
			Set<LockHandle> all = new LinkedHashSet<>(LockContext.all());
			all.addAll(OuterTransaction.locks());
			if (!all.isEmpty()) {
				this.checks.get().forEach((check) -> check.beforeCommit(all));
			}
		}

	}

}
