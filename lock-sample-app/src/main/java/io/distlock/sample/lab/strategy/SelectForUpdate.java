package io.distlock.sample.lab.strategy;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The row is the lock: SELECT … FOR UPDATE, and the end of the transaction frees it. */
class SelectForUpdate implements Strategy {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	SelectForUpdate(Kit kit) {
		this.jdbc = new JdbcTemplate(kit.database());
		this.transaction = kit.transactions();
	}

	@Override
	public boolean sell(Customer customer) {
		return this.transaction.execute((status) -> {
			int left = this.jdbc.queryForObject("select left_over from lab_stock for update", Integer.class);
			return customer.buyFrom(left, (rest) -> this.jdbc.update("update lab_stock set left_over = ?", rest));
		});
	}

}
