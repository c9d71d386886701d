package io.distlock.docs;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.Fleet;

import static org.assertj.core.api.Assertions.assertThat;

/** What docs/annotation.md shows, on a real Redis. */
class KeysExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void severalKeysOfAMethod() {
		Accounts accounts = FLEET.get(Accounts.class);
		assertThat(accounts.transfer("DE2", "DE1", BigDecimal.TEN)).containsExactly("account:DE1", "account:DE2");
		assertThat(accounts.close(List.of(new Account("DE3"), new Account("DE1")))).containsExactly("account:DE1",
				"account:DE3");
	}

	@Test
	void severalKeysOfTheTemplate() {
		LockTemplate locks = FLEET.get(LockTemplate.class);
		LockRequest both = LockRequest.ofAll(List.of("account:DE1", "account:DE2")).waitAtMost(Duration.ofSeconds(3));
		List<Long> tokens = locks.execute(both, (lock) -> lock.parts().stream().map(LockHandle::fencingToken).toList());
		assertThat(tokens).hasSize(2);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Accounts.class)
	static class Application {

	}

	record Account(String number) {
	}

	static class Accounts {

		// tag::keys[]
		@DistributedLock(name = "account", keys = { "#from", "#to" }, waitTime = "3s")
		public List<String> transfer(String from, String to, BigDecimal amount) {
			return heldLocks();
		}

		@DistributedLock(name = "account", key = "#accounts.![number]")
		public List<String> close(List<Account> accounts) {
			return heldLocks();
		}
		// end::keys[]

		private static List<String> heldLocks() {
			return LockContext.all().stream().map(LockHandle::key).toList();
		}

	}

}
