package io.distlock.lab.strategy;

import java.time.Duration;

import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The lock inside the transaction: it is free before the commit, and the next holder
 * reads what was committed.
 */
class LockInTransaction implements Strategy {

	private static final LockRequest LOCK = LockRequest.of("lab").waitAtMost(Duration.ofSeconds(60));

	private final LockTemplate locks;

	private final JdbcClient jdbc;

	private final TransactionTemplate transaction;

	LockInTransaction(StrategySupport support, LockTemplate locks) {
		this.locks = locks;
		this.jdbc = JdbcClient.create(support.database());
		this.transaction = support.transactions();
	}

	static Strategy create(StrategySupport support) {
		return support.bean(LockInTransaction.class,
				new RedisLockStore(support.connections(), RedisLockStoreSettings.DEFAULTS));
	}

	@Override
	public boolean sell(Customer customer) {
		return this.transaction.execute((status) -> {
			boolean sold = this.locks.execute(LOCK, (lock) -> takeOne(customer));
			// Still in the transaction: the order, the invoice, the commit.
			customer.work();
			return sold;
		});
	}

	private boolean takeOne(Customer customer) {
		int left = this.jdbc.sql("select left_over from lab_stock").query(Integer.class).single();
		return customer.buyFrom(left,
				(rest) -> this.jdbc.sql("update lab_stock set left_over = ?").param(rest).update());
	}

}
