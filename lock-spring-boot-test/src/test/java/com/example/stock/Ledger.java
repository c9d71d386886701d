package com.example.stock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Writes with the fencing token of the lock. */
@Repository
class Ledger {

	private final JdbcClient database;

	Ledger(JdbcClient database) {
		this.database = database;
		database.sql("create table if not exists ledger (sku varchar(20), token bigint)").update();
	}

	void book(String sku, long token) {
		this.database.sql("insert into ledger values (?, ?)").params(sku, token).update();
	}

	int count(String sku) {
		return this.database.sql("select count(*) from ledger where sku = ?").param(sku).query(Integer.class).single();
	}

}
