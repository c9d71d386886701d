package com.example.stock;

import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.assertj.core.api.Assertions.assertThat;

/** The transaction of a test keeps locks until it is rolled back, after the test. */
@SpringBootTest
@AutoConfigureDistributedLocks
@Transactional
class TransactionalStockTests {

	@RepeatedTest(2)
	void locksOfTransactionThenAreFreeInTheNextTest(@Autowired Stock stock, @Autowired Reports reports,
			LockTester locks) {
		stock.sell("book");
		assertThat(reports.nightly()).isEqualTo("done");
		assertThat(locks).acquired("stock:book").once().before("nightly-report").once();
	}

}
