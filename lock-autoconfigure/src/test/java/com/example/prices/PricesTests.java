package com.example.prices;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

// tag::busy[]
@SpringBootTest(properties = "distributed-lock.store=memory")
class PricesTests {

	@Autowired
	private Prices prices;

	@Autowired
	private LockTemplate locks;

	@Test
	void refreshIsSkippedWhileTheLockIsBusy() {
		try (LockHandle other = this.locks.acquireAsync("prices").toCompletableFuture().join()) {
			assertThat(this.prices.refresh()).isFalse();
		}
		assertThat(this.prices.refresh()).isTrue();
	}

}
// end::busy[]
