package io.distlock.lab.strategy;

import io.distlock.DistributedLock;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transaction inside the lock: what was written is committed when the next one reads.
 */
class TransactionInLock implements Strategy {

	private final JdbcClient jdbc;

	private final TransactionTemplate transaction;

	TransactionInLock(StrategySupport support) {
		this.jdbc = JdbcClient.create(support.database());
		this.transaction = support.transactions();
	}

	static Strategy create(StrategySupport support) {
		return support.bean(TransactionInLock.class,
				new RedisLockStore(support.connections(), RedisLockStoreSettings.DEFAULTS));
	}

	@Override
	@DistributedLock(name = "lab", waitTime = "60s")
	public boolean sell(Customer customer) {
		return this.transaction.execute((status) -> {
			int left = this.jdbc.sql("select left_over from lab_stock").query(Integer.class).single();
			return customer.buyFrom(left,
					(rest) -> this.jdbc.sql("update lab_stock set left_over = ?").param(rest).update());
		});
	}

}
