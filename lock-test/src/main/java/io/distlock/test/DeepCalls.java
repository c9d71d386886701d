package io.distlock.test;

import java.time.Duration;
import java.util.List;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets callers run out of stack in a process of its own. No such caller may leave a lock
 * that its process can never use again.
 */
public final class DeepCalls {

	/**
	 * How long a store waits for its place. Short, because a call that overflowed may
	 * have lost what others then wait for, for so long.
	 */
	public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private DeepCalls() {
	}

	/**
	 * Asserts that a process ends by itself, and that all its locks are usable then.
	 * @param main calls {@link #overflow} in its main method
	 */
	public static void assertThatLocksStayUsable(Class<?> main) {
		try (ChildJvm process = ChildJvm.of(main).start()) {
			process.awaitExit(PATIENCE.multipliedBy(2));
			assertThat(process.printed("all usable")).as(process.output()).isTrue();
			assertThat(process.lines()).filteredOn((line) -> line.startsWith("overflows "))
				.singleElement()
				.satisfies((line) -> assertThat(Integer.parseInt(line.substring(10))).isGreaterThan(10));
		}
	}

	/**
	 * Lets callers run out of stack at many points of a call. The process must not log: a
	 * log without stack may keep its lock for ever.
	 * @param store waits for its place for {@link #COMMAND_TIMEOUT}
	 */
	public static void overflow(LockStore store) {
		LockSettings settings = LockSettings.builder()
			.leaseTime(COMMAND_TIMEOUT.multipliedBy(5))
			.commandTimeout(COMMAND_TIMEOUT)
			.build();
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store).settings(settings).build()) {
			for (int i = 0; i < 2000; i++) {
				template.run("warm", (lock) -> {
				});
			}
			List<String> keys = DeepStack.overflows((key) -> template.run(key, (lock) -> {
			}));
			System.out.println("overflows " + keys.size());
			keys.forEach((key) -> Awaitility.await(key).atMost(PATIENCE).until(() -> isUsable(template, key)));
			System.out.println("all usable");
		}
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
