package io.distlock.test;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.output.LogLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What level debug shows of a healthy lock: one line for each step. And what a shutdown
 * says of those that are held.
 */
@Isolated // counts lines
class LockDebugLogTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42\n").named("stock").calledFrom("Stock.sell");

	private final InMemoryLockServer server = new InMemoryLockServer();

	private List<String> acquireAndFail(Level level) {
		LogLines log = LogLines.of("io.distlock.internal.observe", level);
		try (log;
				CloseableLockTemplate here = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server)).build();
				CloseableLockTemplate elsewhere = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
					.build()) {
			LockHandle lock = here.acquire(LOCK);
			assertThat(elsewhere.tryAcquire(LOCK.waitAtMost(Duration.ZERO))).isEmpty();
			lock.close();
		}
		return log.messages(Level.DEBUG);
	}

	@Test
	void aShutdownNamesTheLocksThatAreHeldLongestAndTheirCallers() {
		CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server)).build();
		LogLines log = LogLines.of("io.distlock.internal.Shutdown");
		try (log) {
			for (int i = 0; i < 12; i++) {
				template.acquire(LockRequest.of("stock:" + i + "\n").calledFrom("Stock.sell" + i + "\n"));
			}
			assertThat(template.shutdown(Duration.ZERO)).isFalse();
		}
		List<String> said = log.messages(Level.WARN)
			.stream()
			.filter((line) -> line.startsWith("Locks are still held"))
			.toList();
		assertThat(said).hasSize(1).first().asString().hasLineCount(1).hasSizeLessThan(2_000);
		assertThat(said.get(0)).startsWith("Locks are still held after 0 ms; they end with their leases: 'stock:0")
			.contains("by Stock.sell0", "thread '" + Thread.currentThread().getName() + "'", "stock:9")
			.endsWith("; and 2 more")
			.doesNotContain("stock:10");
	}

	@Test
	void eachStepIsALine() {
		List<String> messages = acquireAndFail(Level.DEBUG);
		assertThat(messages).hasSize(4);
		assertThat(messages.get(0))
			.matches("Lock 'stock:42\\\\n' was acquired after [0-9.]+[mu]?s \\(free\\), fencing token [0-9]+, "
					+ "by Stock.sell, name stock");
		assertThat(messages.get(1)).startsWith("Lock 'stock:42\\n' is busy; Stock.sell waits; held by ")
			.contains("thread '");
		assertThat(messages.get(2)).startsWith("Lock 'stock:42\\n' was not acquired: busy after ")
			.endsWith(", asked for by Stock.sell, name stock");
		assertThat(messages.get(3)).matches(
				"Lock 'stock:42\\\\n' was released after [0-9.]+[mu]?s, fencing token [0-9]+, by Stock.sell, name stock");
	}

	@Test
	void levelInfoHasNone() {
		assertThat(acquireAndFail(Level.INFO)).isEmpty();
	}

}
