package com.example.stock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
		Exchanger<String> inside = new Exchanger<>();
		willAnswer((call) -> {
			// Two at the same time would meet.
			assertThatExceptionOfType(TimeoutException.class)
				.isThrownBy(() -> inside.exchange("here", 200, TimeUnit.MILLISECONDS));
			return null;
		}).given(this.ledger).book(eq("pen"), anyLong());
		Runnable sale = () -> this.stock.sell("pen");
		CompletableFuture.allOf(CompletableFuture.runAsync(sale), CompletableFuture.runAsync(sale)).join();
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
