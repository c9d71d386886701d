package io.distlock.internal.context;

import java.time.Duration;

import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.hold.Outcome;
import io.distlock.test.VirtualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessagesTests {

	private final VirtualClock clock = new VirtualClock();

	private final Messages messages = new Messages(LockSettings.DEFAULTS, this.clock, () -> "Redis at redis-1:6379");

	private static LockRequest waiting(Duration waitTime) {
		return LockRequest.of("stock:42").waitAtMost(waitTime);
	}

	private static Outcome.Refused busy(@Nullable Holder holder) {
		return new Outcome.Busy(holder);
	}

	@Test
	void refusalWhenHolderKnownThenNamesHolderPlaceAndTime() {
		Holder holder = new Holder("shop", "pod-7", "3f2a", "http-1", "OrderService.pay", this.clock.instant());
		this.clock.skip(Duration.ofMillis(12_340));
		LockBusyException refusal = this.messages.refusal(waiting(Duration.ofSeconds(3)), busy(holder));
		assertThat(refusal)
			.hasMessage("Lock 'stock:42' is busy: not acquired within 3s; held by shop@pod-7 (instance 3f2a), "
					+ "OrderService.pay, thread 'http-1', since 2026-01-01T00:00:00Z (12.3 s)");
		assertThat(refusal.key()).isEqualTo("stock:42");
		assertThat(refusal.waitTime()).isEqualTo(Duration.ofSeconds(3));
		assertThat(refusal.holder()).contains(holder);
	}

	@Test
	void refusalWhenHolderNotKnownThenSaysSo() {
		assertThat(this.messages.refusal(waiting(Duration.ofMillis(1500)), busy(null)))
			.hasMessage("Lock 'stock:42' is busy: not acquired within 1500ms; its holder is not known")
			.satisfies((refusal) -> assertThat(refusal.holder()).isEmpty());
	}

	@Test
	void refusalWhenTheWaitWasLimitedThenSaysByWhat() {
		LockRequest request = LockRequest.of("stock:42").limitWait(Duration.ofSeconds(2), "the timeout");
		assertThat(this.messages.refusal(request, busy(null))).hasMessage(
				"Lock 'stock:42' is busy: not acquired within 2s, which is the timeout; its holder is not known");
	}

	@Test
	void refusalWhenTooManyWaitThenSaysHowMany() {
		String text = "Lock 'stock:42' is busy: not waited for, as %s in this process already (max waiters); "
				+ "its holder is not known";
		Outcome.Refused crowded = new Outcome.TooManyWaiters(null);
		LockRequest request = LockRequest.of("stock:42");
		assertThat(this.messages.refusal(request.maxWaiters(1), crowded)).hasMessage(text, "1 caller waits");
		assertThat(this.messages.refusal(request.maxWaiters(2), crowded)).hasMessage(text, "2 callers wait");
		assertThat(this.messages.refusal(request.maxWaiters(2), crowded).waitTime()).isZero();
	}

	@Test
	void refusalWhenKeyIsLongThenMessageIsNot() {
		LockRequest request = LockRequest.of("a\r\nb" + "x".repeat(1 << 20)).waitAtMost(Duration.ZERO);
		for (Outcome.Refused outcome : new Outcome.Refused[] { busy(null), new Outcome.TooManyWaiters(null) }) {
			assertThat(this.messages.refusal(request, outcome).getMessage())
				.contains("a\\r\\nbxxx", "\u2026 (1048580 characters)")
				.doesNotContain("\r", "\n")
				.hasSizeLessThan(1000);
		}
	}

	@Test
	void messagesThenNameTheirLock() {
		assertThat(this.messages.shuttingDown("stock:42").key()).isEqualTo("stock:42");
		assertThat(this.messages.noUpgrade("stock:42").key()).isEqualTo("stock:42");
		assertThat(this.messages.unanswered("stock:42", null))
			.hasMessageEndingWith("the store is Redis at redis-1:6379")
			.satisfies((failure) -> assertThat(failure.key()).isEqualTo("stock:42"));
		assertThat(this.messages.ofStore("stock:42", new IllegalStateException("broken")).key()).isEqualTo("stock:42");
	}

}
