package io.distlock.lab.strategy;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The row is the lock: SELECT … FOR UPDATE, and the end of the transaction frees it. */
class SelectForUpdate implements Strategy {

	private final JdbcClient jdbc;

	private final TransactionTemplate transaction;

	SelectForUpdate(StrategySupport support) {
		this.jdbc = JdbcClient.create(support.database());
		this.transaction = support.transactions();
	}

	@Override
	public boolean sell(Customer customer) {
		return this.transaction.execute((status) -> {
			int left = this.jdbc.sql("select left_over from lab_stock for update").query(Integer.class).single();
			return customer.buyFrom(left,
					(rest) -> this.jdbc.sql("update lab_stock set left_over = ?").param(rest).update());
		});
	}

}
