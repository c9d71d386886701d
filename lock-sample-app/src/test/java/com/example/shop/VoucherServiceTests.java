package com.example.shop;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

// tag::test[]
@SpringBootTest(properties = { "distributed-lock.store=memory", "distributed-lock.locks.vouchers.wait-time=0" })
class VoucherServiceTests {

	@Test
	void claimWaitsForTheLock(@Autowired VoucherService vouchers, @Autowired LockTemplate locks) {
		try (LockHandle other = locks.acquireAsync("vouchers:42").toCompletableFuture().join()) {
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> vouchers.claim(42, "summer"));
		}
	}

}
// end::test[]
