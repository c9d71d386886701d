package io.distlock.spring;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.context.ContextRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.OnBusy;

import static org.assertj.core.api.Assertions.assertThat;

/** Thread locals of the caller in bodies that run on other threads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallerContextTests {

	private static final String NAME = "tenant";

	private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

	private final LockedApplication application = LockedApplication.of(Orders.class);

	private final Orders orders = this.application.get(Orders.class);

	@BeforeAll
	void register() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(NAME, TENANT);
	}

	@BeforeEach
	void set() {
		TENANT.set("blue");
	}

	@AfterEach
	void clear() {
		TENANT.remove();
	}

	@AfterAll
	void close() {
		ContextRegistry.getInstance().removeThreadLocalAccessor(NAME);
		this.application.close();
	}

	private static String join(CompletableFuture<String> result) {
		return result.orTimeout(20, TimeUnit.SECONDS).join();
	}

	@Test
	void stageOfAFreeLockHasThem() {
		assertThat(join(this.orders.place())).isEqualTo("blue elsewhere");
	}

	@Test
	void stageThatWaitedHasThoseOfItsCaller() {
		CompletableFuture<String> result;
		try (LockHandle held = this.application.other().acquire("orders")) {
			result = this.orders.place();
			assertThat(result).isNotDone();
			TENANT.set("green");
		}
		assertThat(join(result)).isEqualTo("blue elsewhere");
	}

	@Test
	void fallbackHasThem() {
		try (LockHandle held = this.application.other().acquire("orders")) {
			assertThat(join(this.orders.tryPlace())).isEqualTo("blue elsewhere");
		}
	}

	@Test
	void callWithoutThemGetsNoneOfAnEarlierCall() {
		assertThat(join(this.orders.place())).isEqualTo("blue elsewhere");
		TENANT.remove();
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !this.application.isBusy("orders"));
		for (int i = 0; i < 10; i++) {
			assertThat(join(this.orders.place())).isEqualTo("null elsewhere");
		}
	}

	static class Orders {

		private final Thread test = Thread.currentThread();

		private String seen() {
			return TENANT.get() + ((Thread.currentThread() != this.test) ? " elsewhere" : " here");
		}

		@DistributedLock(name = "orders", waitTime = "20s")
		public CompletableFuture<String> place() {
			return CompletableFuture.completedFuture(seen());
		}

		@DistributedLock(name = "orders", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "later")
		public CompletableFuture<String> tryPlace() {
			throw new AssertionError();
		}

		CompletableFuture<String> later() {
			return CompletableFuture.completedFuture(seen());
		}

	}

}
