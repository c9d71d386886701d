package com.example.shop;

import io.distlock.DistributedLock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class VoucherService {

	private static final int PER_DAY = 3;

	private static final String TODAY = "select count(*) from voucher where owner = ? and claimed_on = current_date";

	private final JdbcClient jdbc;

	public VoucherService(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@Transactional
	@DistributedLock(name = "vouchers", key = "#user", waitTime = "3s")
	public int claim(long user, String code) {
		if (code.isBlank()) {
			throw new IllegalArgumentException("The code of the voucher must not be blank");
		}
		int today = this.jdbc.sql(TODAY).param(user).query(Integer.class).single();
		if (today >= PER_DAY) {
			throw new IllegalStateException("User " + user + " has claimed " + today + " vouchers today");
		}
		this.jdbc.sql("insert into voucher values (?, ?, current_date)").params(user, code).update();
		return PER_DAY - today - 1;
	}

}
