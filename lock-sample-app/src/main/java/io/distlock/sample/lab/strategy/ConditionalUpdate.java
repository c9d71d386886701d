package io.distlock.sample.lab.strategy;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** No lock: the database takes an item if there is one. */
class ConditionalUpdate implements Strategy {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	ConditionalUpdate(Kit kit) {
		this.jdbc = new JdbcTemplate(kit.database());
		this.transaction = kit.transactions();
	}

	@Override
	public boolean sell(Customer customer) {
		return customer.buyInOneStep(() -> this.transaction.execute((status) -> takeOne()));
	}

	private int takeOne() {
		int taken = this.jdbc.update("update lab_stock set left_over = left_over - 1 where left_over > 0");
		if (taken == 0) {
			return 0;
		}
		return this.jdbc.queryForObject("select left_over + 1 from lab_stock", Integer.class);
	}

}
