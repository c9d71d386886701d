package com.example.recipes;

import java.util.concurrent.locks.Lock;

import io.distlock.DistributedLock;
import io.distlock.LockTemplate;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class Stock {

	private final JdbcClient jdbc;

	private final LockTemplate locks;

	Stock(JdbcClient jdbc, LockTemplate locks) {
		this.jdbc = jdbc;
		this.locks = locks;
	}

	// tag::before[]
	@Transactional
	public void recountWrongly(String sku) {
		Lock lock = this.locks.getLock("stock:" + sku);
		lock.lock();
		try {
			recount(sku);
		}
		finally {
			lock.unlock(); // before the commit
		}
	}
	// end::before[]

	// tag::after[]
	@Transactional
	@DistributedLock(name = "stock", key = "#sku")
	public void recountUnderTheLock(String sku) {
		recount(sku);
	}
	// end::after[]

	private void recount(String sku) {
		int amount = this.jdbc.sql("select amount from stock where sku = ?").param(sku).query(Integer.class).single();
		this.jdbc.sql("update stock set amount = ? where sku = ?").params(amount, sku).update();
	}

	// tag::unique[]
	public boolean sell(String sku, int count) {
		return this.jdbc.sql("update stock set amount = amount - ? where sku = ? and amount >= ?")
			.params(count, sku, count)
			.update() == 1;
	}

	public boolean claim(long user, String voucher) {
		try {
			this.jdbc.sql("insert into claim (owner, voucher) values (?, ?)").params(user, voucher).update();
			return true;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}
	// end::unique[]

}
