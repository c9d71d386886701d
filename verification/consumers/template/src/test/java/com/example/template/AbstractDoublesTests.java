package com.example.template;

import io.distlock.LockTemplate;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;

/** The context starts without a server, whatever bean has a double. */
abstract class AbstractDoublesTests {

	@SpringBootTest
	@AutoConfigureDistributedLocks
	abstract static class OfConnections {

		@Test
		void locksAreInMemory(@Autowired RedisConnectionFactory redis, @Autowired InvoiceService invoices,
				LockTester locks) {
			assertThat(Mockito.mockingDetails(redis).isMock()).isTrue();
			assertThat(invoices.write("ann")).isPositive();
			assertThat(locks).acquired("invoice:ann").once().nothingHeld();
		}

	}

	/** As tests have it that know nothing of the locks. */
	@SpringBootTest(properties = "distributed-lock.redis.url=redis://localhost:1")
	abstract static class OfTheLocks {

		@Test
		void codeGetsWhatTheTestSays(@Autowired LockTemplate locks, @Autowired InvoiceService invoices) {
			assertThat(invoices.publish("ann", 1)).isFalse();
			given(locks.tryRun(anyString(), any())).willReturn(true);
			assertThat(invoices.publish("ann", 1)).isTrue();
			assertThatIllegalStateException().isThrownBy(() -> invoices.write("ann"))
				.withMessageContaining("In a test use @AutoConfigureDistributedLocks instead of a mock");
		}

	}

	@SpringBootTest
	@AutoConfigureDistributedLocks
	abstract static class OfTheService {

		@Test
		void doubleTakesNoLock(@Autowired InvoiceService invoices, LockTester locks) {
			given(invoices.write("ann")).willReturn(7);
			assertThat(invoices.write("ann")).isEqualTo(7);
			assertThat(locks).neverAcquired("invoice:ann");
		}

	}

}
