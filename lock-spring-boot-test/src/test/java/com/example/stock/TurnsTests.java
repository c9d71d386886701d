package com.example.stock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willAnswer;

// tag::turns[]
@SpringBootTest
@AutoConfigureDistributedLocks(waitTime = "30s")
class TurnsTests {

	@Autowired
	private Stock stock;

	@MockitoBean
	private Ledger ledger;

	@Test
	void twoThreadsTakeTurnsOnOneKey(LockTester locks) {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		willAnswer((call) -> {
			most.accumulateAndGet(inside.incrementAndGet(), Math::max);
			Thread.sleep(200); // for the other one to come in
			inside.decrementAndGet();
			return null;
		}).given(this.ledger).book(eq("pen"), anyLong());
		Runnable sale = () -> this.stock.sell("pen");
		CompletableFuture.allOf(CompletableFuture.runAsync(sale), CompletableFuture.runAsync(sale)).join();
		assertThat(most).hasValue(1);
		assertThat(locks).acquired("stock:pen").times(2).nothingHeld();
	}

	@Test
	void anotherKeyIsNotBlocked(LockTester locks) {
		locks.busy("stock:ink");
		this.stock.sell("paper");
		assertThat(locks).acquired("stock:paper").once();
	}

}
// end::turns[]
