package com.example.shop;

import io.distlock.LockBusyException;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

// tag::test[]
@SpringBootTest
@AutoConfigureDistributedLocks
class VoucherServiceTests {

	@Test
	void claimIsRefusedWhileTheLockIsBusy(@Autowired VoucherService vouchers, LockTester locks) {
		locks.busy("vouchers:42");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> vouchers.claim(42, "summer"));
	}

}
// end::test[]
