package io.distlock.docs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.spring.Fleet;

import static org.assertj.core.api.Assertions.assertThat;

/** The code of {@code docs/programmatic.md}, on a real Redis. */
@Timeout(60)
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
		try (LockHandle held = FLEET.other().acquire("report")) {
			// tag::try[]
			LockRequest once = LockRequest.of("report").waitAtMost(Duration.ZERO);
			Optional<LockHandle> attempt = this.locks.tryAcquire(once); // empty: busy
			// end::try[]
			assertThat(attempt).isEmpty();
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void requests() {
		// tag::requests[]
		LockRequest transfer = LockRequest.ofAll(List.of("account:DE1", "account:DE2"));
		LockRequest reader = LockRequest.of("catalog").mode(LockMode.SHARED);
		LockRequest job = LockRequest.of("job").waitAtMost(Duration.ZERO).holdAtLeast(Duration.ofSeconds(30));
		// end::requests[]
		List.of(transfer, reader, job).forEach((request) -> this.locks.run(request, LockHandle::ensureHeld));
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
