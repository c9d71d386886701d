package io.distlock.sample.voucher;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The orders in the database. The table has no unique constraint on purpose, so that the
 * lock alone keeps a user from ordering twice; a real shop has both.
 */
@Repository
class OrderBook {

	private final JdbcClient jdbc;

	OrderBook(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Checks and writes in one transaction, which alone would not do: two transactions at
	 * a time both find no order and both write one.
	 */
	@Transactional
	VoucherOrder write(String voucher, String user) {
		if (count(voucher, user) > 0) {
			throw new AlreadyOrderedException(voucher, user);
		}
		long number = this.jdbc.sql(
				"select number from final table (insert into voucher_order (voucher, customer) values (:voucher, :customer))")
			.param("voucher", voucher)
			.param("customer", user)
			.query(Long.class)
			.single();
		return new VoucherOrder(number, voucher, user);
	}

	private int count(String voucher, String user) {
		return this.jdbc.sql("select count(*) from voucher_order where voucher = :voucher and customer = :customer")
			.param("voucher", voucher)
			.param("customer", user)
			.query(Integer.class)
			.single();
	}

}
