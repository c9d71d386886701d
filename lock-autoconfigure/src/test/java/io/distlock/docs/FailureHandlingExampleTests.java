package io.distlock.docs;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;
import io.distlock.autoconfigure.Fleet;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.spring.LockFailure;
import io.distlock.spring.LockFailureHandler;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What docs/failures.md shows, on a real Redis. */
class FailureHandlingExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void busyMethods() {
		Prices prices = FLEET.get(Prices.class);
		try (LockHandle lock = takenBySomebodyElse(FLEET)) {
			assertThat(prices.refresh()).isFalse();
			assertThat(prices.price("book")).isEqualTo("yesterday's price of book, prices:book is busy");
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(prices.refresh()).isTrue();
		assertThat(prices.price("book")).isEqualTo("today's price of book");
	}

	private static LockHandle takenBySomebodyElse(Fleet fleet) {
		return fleet.other().acquire(LockRequest.ofAll(List.of("prices", "prices:book")));
	}

	@Test
	void storeThatDoesNotAnswer() {
		RedisServer server = RedisServer.start();
		try (ConfigurableApplicationContext context = LockApplications.start(Application.class,
				"spring.data.redis.port=" + server.port(), "distributed-lock.command-timeout=5s")) {
			Prices prices = context.getBean(Prices.class);
			assertThat(prices.refresh()).isTrue();
			server.close();
			assertThat(prices.warmUp()).isEqualTo("warm");
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(prices::refresh);
		}
	}

	@Test
	void handlerOfTheApplication() {
		try (Fleet fleet = new Fleet(WithHandler.class)) {
			try (LockHandle lock = takenBySomebodyElse(fleet)) {
				assertThatExceptionOfType(TryLaterException.class).isThrownBy(fleet.get(Prices.class)::publish)
					.withMessage("Prices.publish")
					.withCauseInstanceOf(LockBusyException.class);
				assertThat(lock.isHeld()).isTrue();
			}
			fleet.get(Prices.class).publish();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Prices.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Prices.class, Answers.class })
	static class WithHandler {

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
