package io.distlock;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockBusyExceptionTests {

	private static final Instant NOW = Instant.parse("2026-01-01T10:00:12.34Z");

	@Test
	void messageWhenHolderKnownThenSaysWhoWhereAndSinceWhen() {
		Holder holder = new Holder("shop", "pod-7", "3f2a", "http-1", "OrderService.pay",
				Instant.parse("2026-01-01T10:00:00Z"));
		assertThat(new LockBusyException("stock:42", Duration.ofSeconds(3), holder, NOW))
			.hasMessage("Lock 'stock:42' is busy: not acquired within 3s; held by shop@pod-7 (instance 3f2a), "
					+ "OrderService.pay, thread 'http-1', since 2026-01-01T10:00:00Z (12.3 s)");
	}

	@Test
	void messageWhenHolderNotKnownThenSaysSo() {
		assertThat(new LockBusyException("stock:42", Duration.ofMillis(1500), null, NOW))
			.hasMessage("Lock 'stock:42' is busy: not acquired within 1500ms; its holder is not known")
			.satisfies((ex) -> assertThat(((LockBusyException) ex).holder()).isEmpty());
	}

	@Test
	void messageWhenTooManyWaitThenSaysHowMany() {
		String text = "Lock 'stock:42' is busy: not waited for, as %s in this process already (max waiters); "
				+ "its holder is not known";
		assertThat(LockBusyException.tooManyWaiters("stock:42", 1, null, NOW)).hasMessage(text, "1 caller waits");
		assertThat(LockBusyException.tooManyWaiters("stock:42", 2, null, NOW)).hasMessage(text, "2 callers wait");
	}

}
