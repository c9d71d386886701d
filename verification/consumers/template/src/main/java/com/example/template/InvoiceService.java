package com.example.template;

import io.distlock.DistributedLock;
import io.distlock.LockTemplate;

import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class InvoiceService {

	private final LockTemplate locks;

	private final RedisTemplate<String, Object> cache;

	private final JdbcTemplate database;

	InvoiceService(LockTemplate locks, RedisTemplate<String, Object> cache, JdbcTemplate database) {
		this.locks = locks;
		this.cache = cache;
		this.database = database;
	}

	@Transactional
	@DistributedLock(name = "invoice", key = "#customer", waitTime = "20s")
	public int write(String customer) {
		int number = 1 + this.database.queryForObject("select count(*) from invoice", Integer.class);
		this.database.update("insert into invoice values (?, ?)", customer, number);
		return number;
	}

	public boolean publish(String customer, int number) {
		return this.locks.tryRun("published:" + customer,
				(lock) -> this.cache.opsForValue().set(customer, "invoice " + number));
	}

}
