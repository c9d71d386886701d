package com.example.stock;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import io.distlock.LockBusyException;
import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willAnswer;

// tag::whole[]
@SpringBootTest
@AutoConfigureDistributedLocks
class StockTests {

	@Autowired
	private Stock stock;

	@Autowired
	private Reports reports;

	@MockitoSpyBean
	private Ledger ledger;

	@Autowired
	private LockTester locks;

	// end::whole[]
	private int sold;

	@BeforeEach
	void count() {
		this.sold = this.ledger.count("book");
	}

	// tag::busy[]
	@Test
	void sellIsRefusedWhileTheLockIsBusy() {
		this.locks.busy("stock:book");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.stock.sell("book"));
		assertThat(this.locks).refused("stock:book").neverAcquired("stock:book");
	}
	// end::busy[]

	// tag::skipped[]
	@Test
	void reportIsSkippedWhileAnotherMachineWritesIt() {
		this.locks.busy("nightly-report");
		assertThat(this.reports.nightly()).isEqualTo(Reports.SKIPPED);
	}
	// end::skipped[]

	// tag::minimum[]
	@RepeatedTest(2)
	void reportIsWrittenOnceANight() {
		assertThat(this.reports.nightly()).isEqualTo("done");
		assertThat(this.reports.nightly()).isEqualTo(Reports.SKIPPED);
		assertThat(this.locks).acquired("nightly-report").once();
	}
	// end::minimum[]

	// tag::lost[]
	@Test
	void saleIsRolledBackWhenTheLockIsLost() {
		willAnswer((call) -> {
			Object written = call.callRealMethod();
			this.locks.lose("stock:book");
			return written;
		}).given(this.ledger).book(eq("book"), anyLong());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.stock.sell("book"));
		assertThat(this.ledger.count("book")).isEqualTo(this.sold);
		assertThat(this.locks).lost("stock:book");
	}
	// end::lost[]

	// tag::fails[]
	@Test
	void storeThatIsAwayIsNoBusyLock() {
		try (LockTester.Fault down = this.locks.storeFails()) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.stock.sell("book"));
		}
		this.stock.sell("book");
	}
	// end::fails[]

	// tag::order[]
	@Test
	void transferLocksBothAccountsInOrder() {
		this.stock.transfer("a", "b");
		assertThat(this.locks).acquired("account:a").before("account:b").nothingHeld();
	}
	// end::order[]

}
