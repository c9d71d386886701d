package io.distlock.lab.strategy;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** No lock: the database takes an item if there is one. */
class ConditionalUpdate implements Strategy {

	private final JdbcClient jdbc;

	private final TransactionTemplate transaction;

	ConditionalUpdate(StrategySupport support) {
		this.jdbc = JdbcClient.create(support.database());
		this.transaction = support.transactions();
	}

	@Override
	public boolean sell(Customer customer) {
		return customer.buyInOneStep(() -> this.transaction.execute((status) -> takeOne()));
	}

	private int takeOne() {
		int taken = this.jdbc.sql("update lab_stock set left_over = left_over - 1 where left_over > 0").update();
		if (taken == 0) {
			return 0;
		}
		return this.jdbc.sql("select left_over + 1 from lab_stock").query(Integer.class).single();
	}

}
