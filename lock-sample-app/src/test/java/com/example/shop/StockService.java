package com.example.shop;

import io.distlock.DistributedLock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class StockService {

	private final JdbcClient jdbc;

	public StockService(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@Transactional
	@DistributedLock(name = "stock", key = "#sku", waitTime = "3s")
	public int sell(String sku, int quantity) {
		int amount = this.jdbc.sql("select amount from stock where sku = ?").param(sku).query(Integer.class).single();
		if (amount < quantity) {
			throw new IllegalArgumentException("Only " + amount + " of '" + sku + "' are left");
		}
		this.jdbc.sql("update stock set amount = ? where sku = ?").params(amount - quantity, sku).update();
		return amount - quantity;
	}

}
