package com.example.stock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import io.distlock.LockBusyException;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

// tag::parallel[]
@SpringBootTest
@AutoConfigureDistributedLocks
@Execution(ExecutionMode.CONCURRENT)
class ParallelTests {

	@Autowired
	private Stock stock;

	@Test
	void sells(LockTester locks) {
		this.stock.sell("pen");
		assertThat(locks).acquired("stock:pen").once();
	}

	@Test
	void isRefused(LockTester locks) {
		locks.busy("stock:ink");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.stock.sell("ink"));
	}

}
// end::parallel[]
