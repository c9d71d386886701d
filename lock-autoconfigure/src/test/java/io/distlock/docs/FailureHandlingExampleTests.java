package io.distlock.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.LockFailure;
import io.distlock.spring.LockFailureHandler;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What docs/failure-handling.md shows. */
class FailureHandlingExampleTests {

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean(LockStore.class, () -> this.store)
		.withBean(Prices.class);

	@Test
	void busyMethods() {
		this.runner.run((context) -> {
			Prices prices = context.getBean(Prices.class);
			try (LockHandle lock = takenBySomebodyElse(context.getBean(LockTemplate.class))) {
				assertThat(prices.refresh()).isFalse();
				assertThat(prices.price("book")).isEqualTo("yesterday's price of book, prices:book is busy");
				assertThat(lock.isHeld()).isTrue();
			}
			assertThat(prices.refresh()).isTrue();
			assertThat(prices.price("book")).isEqualTo("today's price of book");
		});
	}

	/** Owned by no thread. */
	private static LockHandle takenBySomebodyElse(LockTemplate locks) {
		return locks.acquireAsync(LockRequest.ofAll(List.of("prices", "prices:book"))).toCompletableFuture().join();
	}

	@Test
	void storeThatDoesNotAnswer() {
		this.runner.run((context) -> {
			this.store.injectAll(Fault.REFUSE);
			assertThat(context.getBean(Prices.class).warmUp()).isEqualTo("warm");
		});
	}

	@Test
	void handlerOfTheApplication() {
		this.runner.withBean(Answers.class).run((context) -> {
			try (LockHandle lock = takenBySomebodyElse(context.getBean(LockTemplate.class))) {
				assertThatExceptionOfType(TryLaterException.class)
					.isThrownBy(() -> context.getBean(Prices.class).publish())
					.withMessage("Prices.publish")
					.withCauseInstanceOf(LockBusyException.class);
				assertThat(lock.isHeld()).isTrue();
			}
			CompletableFuture.runAsync(context.getBean(Prices.class)::publish).join();
		});
	}

	// tag::handler[]
	static class Answers implements LockFailureHandler {

		@Override
		public Object handle(LockFailure failure) {
			String method = failure.target().getClass().getSimpleName() + "." + failure.method().getName();
			throw new TryLaterException(method, Duration.ofSeconds(1), failure.exception());
		}

	}
	// end::handler[]

	static class TryLaterException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		TryLaterException(String message, Duration after, Throwable cause) {
			super(message, cause);
		}

	}

	static class Prices {

		// tag::busy[]
		@DistributedLock(name = "prices", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "false")
		public boolean refresh() {
			return true;
		}

		@DistributedLock(name = "prices", key = "#item", waitTime = "0", onBusy = OnBusy.FALLBACK,
				fallback = "knownPrice")
		public String price(String item) {
			return "today's price of " + item;
		}

		private String knownPrice(String item, LockBusyException busy) {
			return "yesterday's price of " + item + ", " + busy.key() + " is busy";
		}
		// end::busy[]

		// tag::unlocked[]
		@DistributedLock(name = "cache", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public String warmUp() {
			return "warm";
		}
		// end::unlocked[]

		@DistributedLock(name = "prices", waitTime = "0")
		public void publish() {
		}

	}

}
