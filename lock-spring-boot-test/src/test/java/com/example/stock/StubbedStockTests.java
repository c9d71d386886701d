package com.example.stock;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.util.AopTestUtils;

import io.distlock.LockBusyException;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.Mockito.times;

@SpringBootTest
@AutoConfigureDistributedLocks
class StubbedStockTests {

	@MockitoBean
	private Reports reports;

	@MockitoSpyBean
	private Stock stock;

	@Autowired
	private LockTester locks;

	// tag::mock[]
	@Test
	void mockTakesNoLock() {
		this.locks.busy("nightly-report");
		given(this.reports.nightly()).willReturn("stubbed");
		assertThat(this.reports.nightly()).isEqualTo("stubbed");
		assertThat(this.locks).neverAcquired("nightly-report");
	}
	// end::mock[]

	// tag::spy[]
	@Test
	void spyIsStubbedBehindItsLock() {
		Stock behind = AopTestUtils.getTargetObject(this.stock);
		willDoNothing().given(behind).sell(any());
		this.stock.sell("book");
		assertThat(this.locks).acquired("stock:book").once();
		this.locks.busy("stock:book");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.stock.sell("book"));
		then(behind).should(times(1)).sell("book");
	}
	// end::spy[]

}
