package com.example.recipes;

import java.time.YearMonth;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class Invoices {

	private final JdbcClient jdbc;

	Invoices(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	// tag::once[]
	@Transactional
	@DistributedLock(name = "invoices", waitTime = "0", onBusy = OnBusy.SKIP)
	public void write(YearMonth month) {
		try {
			this.jdbc.sql("insert into job_run (job, period) values ('invoices', ?)").param(month.toString()).update();
		}
		catch (DuplicateKeyException ex) {
			return; // done before
		}
		this.jdbc.sql("insert into invoice (customer, period) select id, ? from customer")
			.param(month.toString())
			.update();
	}
	// end::once[]

}
