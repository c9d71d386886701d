package io.distlock.test.records;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.output.DeepStack;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.test.ChildJvm;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A caller without stack leaves no lock that its process can never use again. */
@Tag("ci")
class StackOverflowTests {

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	@Test
	void eachLockIsUsableAfterStacksOverflowed() {
		try (ChildJvm process = ChildJvm.of(Overflowing.class).start()) {
			process.awaitExit(PATIENCE.multipliedBy(2));
			assertThat(process.printed("all usable")).as(process.output()).isTrue();
			assertThat(process.lines()).filteredOn((line) -> line.startsWith("overflows "))
				.singleElement()
				.satisfies((line) -> assertThat(Integer.parseInt(line.substring(10))).isGreaterThan(10));
		}
	}

	/** The process without stack. */
	static final class Overflowing {

		public static void main(String[] arguments) {
			// A log without stack may keep its lock for ever.
			((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
			RecordLockStore store = new RecordLockStore(new MemoryPlace().newRecords(),
					RecordSettings.NOTIFIED.withCommandTimeout(Duration.ofSeconds(5)));
			LockSettings settings = LockSettings.builder()
				.leaseTime(Duration.ofSeconds(15))
				.commandTimeout(Duration.ofSeconds(5))
				.build();
			CloseableLockTemplate template = LockTemplateBuilder.forStore(store).settings(settings).build();
			for (int i = 0; i < 3000; i++) {
				template.run("warm", (lock) -> {
				});
			}
			List<String> keys = DeepStack.overflows((key) -> template.run(key, (lock) -> {
			}));
			System.out.println("overflows " + keys.size());
			keys.forEach((key) -> Awaitility.await(key).atMost(PATIENCE).until(() -> isUsable(template, key)));
			System.out.println("all usable");
			template.close();
		}

		private static boolean isUsable(CloseableLockTemplate template, String key) {
			try (LockHandle lock = template.acquire(key)) {
				return lock.isHeld();
			}
			catch (LockException ex) {
				return false;
			}
		}

	}

}
