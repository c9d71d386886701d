package io.distlock.docs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.Fleet;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** The code of {@code docs/template.md}, on a real Redis. */
class ProgrammaticExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	private final LockTemplate locks = FLEET.get(LockTemplate.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void bodyUnderTheLock() {
		Reports reports = FLEET.get(Reports.class);
		assertThat(reports.write("march")).isEqualTo("march, 2 rows");
		assertThat(FLEET.isBusy("report:march")).isFalse();
	}

	@Test
	void busyIsAValue() {
		Reports reports = FLEET.get(Reports.class);
		assertThat(reports.tryWrite("may")).hasValue("may, 2 rows");
		assertThat(reports.archive()).isTrue();
		try (LockHandle held = FLEET.other().acquire(LockRequest.ofAll(List.of("report:may", "archive")))) {
			assertThat(reports.tryWrite("may")).isEmpty();
			assertThat(reports.archive()).isFalse();
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void handle() {
		try (LockHandle lock = this.locks.acquire("report")) {
			lock.ensureHeld();
		}
		assertThat(FLEET.isBusy("report")).isFalse();
	}

	@Test
	void holdingForLonger() {
		FLEET.get(Reports.class).migrate(List.of("orders", "items"));
		assertThat(FLEET.isBusy("migration")).isFalse();
	}

	@Test
	void whoHoldsIt() {
		this.locks.run("report", (lock) -> {
			assertThat(this.locks.holdCount("report")).isOne();
			assertThat(this.locks.isHeldByCurrentThread("report")).isTrue();
			assertThat(this.locks.isLocked("report")).isTrue();
		});
		assertThat(this.locks.holdCount("report")).isZero();
		assertThat(this.locks.isLocked("report")).isFalse();
	}

	@Test
	void withoutBlockingAThread() throws Exception {
		Reports reports = FLEET.get(Reports.class);
		CompletableFuture<String> sent = reports.send("june").toCompletableFuture();
		assertThat(sent.get(30, TimeUnit.SECONDS)).isEqualTo("sent june");
		assertThat(FLEET.isBusy("report:june")).isFalse();
		assertThat(reports.send("never").toCompletableFuture()).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withRootCauseInstanceOf(IllegalArgumentException.class);
		assertThat(FLEET.isBusy("report:never")).isFalse();
	}

	@Test
	void withoutSpring() {
		RedisConnectionFactory redisConnectionFactory = FLEET.get(RedisConnectionFactory.class);
		// tag::plain[]
		LockSettings settings = LockSettings.builder().application("shop").waitTime(Duration.ofSeconds(3)).build();
		try (CloseableLockTemplate locks = LockTemplateBuilder.forStore(new RedisLockStore(redisConnectionFactory))
			.settings(settings)
			.build()) {
			locks.run("report", (lock) -> lock.ensureHeld());
		}
		// end::plain[]
		assertThat(FLEET.isBusy("report")).isFalse();
	}

	@Test
	void requests() {
		// tag::requests[]
		LockRequest transfer = LockRequest.ofAll(List.of("account:DE1", "account:DE2"));
		LockRequest reader = LockRequest.of("catalog").mode(LockMode.SHARED);
		LockRequest permit = LockRequest.permit("tax-office", 3);
		LockRequest job = LockRequest.of("job").waitAtMost(Duration.ZERO).holdAtLeast(Duration.ofSeconds(30));
		// end::requests[]
		List.of(transfer, reader, permit, job).forEach((request) -> this.locks.run(request, LockHandle::ensureHeld));
		assertThat(FLEET.isBusy("catalog")).isFalse();
	}

	@Test
	void lockOfTheJdk() throws InterruptedException {
		// tag::lock[]
		Lock lock = this.locks.getLock("stock:42");
		if (lock.tryLock(3, TimeUnit.SECONDS)) {
			try {
				sell();
			}
			finally {
				lock.unlock(); // LockLostException if it was lost meanwhile
			}
		}
		// end::lock[]
		assertThat(FLEET.isBusy("stock:42")).isFalse();
	}

	private void sell() {
		assertThat(FLEET.isBusy("stock:42")).isTrue();
	}

	static class Reports {

		private final LockTemplate locks;

		Reports(LockTemplate locks) {
			this.locks = locks;
		}

		// tag::execute[]
		public String write(String month) {
			LockRequest request = LockRequest.of("report:" + month).waitAtMost(Duration.ofSeconds(3));
			return this.locks.execute(request, (lock) -> {
				List<String> rows = read(month);
				lock.ensureHeld(); // or LockLostException
				return save(month, rows, lock.fencingToken());
			});
		}
		// end::execute[]

		// tag::try[]
		public Optional<String> tryWrite(String month) {
			return this.locks.tryExecute("report:" + month, (lock) -> save(month, read(month), lock.fencingToken()));
		}

		public boolean archive() {
			return this.locks.tryRun(LockRequest.of("archive").waitAtMost(Duration.ofMillis(100)), (lock) -> clear());
		}
		// end::try[]

		// tag::async[]
		public CompletionStage<String> send(String month) {
			LockRequest request = LockRequest.of("report:" + month).waitAtMost(Duration.ofSeconds(30));
			return this.locks.executeAsync(request, (lock) -> sendAsync(month, lock.fencingToken()));
		}
		// end::async[]

		// tag::extend[]
		public void migrate(List<String> tables) {
			LockRequest request = LockRequest.of("migration").leaseFor(Duration.ofMinutes(5));
			this.locks.run(request, (lock) -> {
				for (String table : tables) {
					lock.extend(Duration.ofMinutes(5)); // or an exception
					copy(table);
				}
			});
		}
		// end::extend[]

		private void copy(String table) {
			assertThat(LockContext.current().orElseThrow().remaining()).as(table)
				.isGreaterThan(Duration.ofSeconds(290));
		}

		private CompletionStage<String> sendAsync(String month, long token) {
			if (month.equals("never")) {
				throw new IllegalArgumentException("There is no such month");
			}
			assertThat(token).isPositive();
			return CompletableFuture.supplyAsync(() -> "sent " + month);
		}

		private void clear() {
			LockContext.current().orElseThrow().ensureHeld();
		}

		private List<String> read(String month) {
			return List.of(month + " 1", month + " 2");
		}

		private String save(String month, List<String> rows, long token) {
			assertThat(token).isPositive();
			return month + ", " + rows.size() + " rows";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Reports.class)
	static class Application {

	}

}
