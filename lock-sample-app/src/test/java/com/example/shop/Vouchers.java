package com.example.shop;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Vouchers in a table that no constraint protects. */
@Repository
class Vouchers {

	private final JdbcClient jdbc;

	Vouchers(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	int claimedToday(long user) {
		return this.jdbc.sql("select count(*) from voucher where owner = ? and claimed_on = current_date")
			.param(user)
			.query(Integer.class)
			.single();
	}

	void add(long user, String code) {
		this.jdbc.sql("insert into voucher values (?, ?, current_date)").params(user, code).update();
	}

}
