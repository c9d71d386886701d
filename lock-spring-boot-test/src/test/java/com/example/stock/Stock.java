package com.example.stock;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockTemplate;

/** Sells and moves books. */
@Service
class Stock {

	private final Ledger ledger;

	private final LockTemplate locks;

	Stock(Ledger ledger, LockTemplate locks) {
		this.ledger = ledger;
		this.locks = locks;
	}

	@Transactional
	@DistributedLock(name = "stock", key = "#sku", waitTime = "30s")
	public void sell(String sku) {
		this.ledger.book(sku, LockContext.fencingToken());
	}

	public void transfer(String from, String to) {
		this.locks.run("account:" + from, (outer) -> this.locks.run("account:" + to, (inner) -> {
			this.ledger.book(from, outer.fencingToken());
			this.ledger.book(to, inner.fencingToken());
		}));
	}

}
