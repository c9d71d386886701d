package io.distlock.test;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets callers run out of stack in a process of its own. No such caller may leave a lock
 * that its process can never use again: it is refused before it has begun anything.
 */
public final class DeepCalls {

	/**
	 * How long a store waits for its place. Short, because a call that overflowed may
	 * have lost what others then wait for, for so long.
	 */
	public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

	private static final String OVERFLOW = "overflow in ";

	private static final String BEGUN = " in the middle of a call";

	private static final int WARM_UP = 1000;

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private DeepCalls() {
	}

	/**
	 * Asserts that a process ends by itself, that all its locks are usable then, and that
	 * no stack overflowed in the middle of a call.
	 * @param main calls {@link #overflow} in its main method
	 */
	public static void assertThatLocksStayUsable(Class<?> main) {
		try (ChildJvm process = ChildJvm.of(main).start()) {
			process.awaitExit(PATIENCE.multipliedBy(2));
			assertThat(process.printed("all usable")).as(process.output()).isTrue();
			// The JVM warns of an overflow while a lock of the JDK is taken.
			assertThat(process.printed("ReservedStackAccess")).as(process.output()).isFalse();
			assertThat(process.lines()).filteredOn((line) -> line.startsWith(OVERFLOW))
				.hasSizeGreaterThan(10)
				.noneMatch((line) -> line.endsWith(BEGUN))
				.anyMatch((line) -> line.endsWith("StackReserve"));
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
			Map<String, Consumer<String>> calls = calls(template);
			calls.forEach((name, call) -> {
				for (int i = 0; i < WARM_UP; i++) {
					call.accept(name);
				}
			});
			Map<String, Throwable> overflows = new LinkedHashMap<>();
			calls.forEach((name, call) -> overflows.putAll(DeepStack.overflows(name, call)));
			overflows.values().forEach((failure) -> System.out.println(OVERFLOW + place(failure)));
			overflows.keySet()
				.forEach((key) -> Awaitility.await(key)
					.pollDelay(Duration.ZERO)
					.atMost(PATIENCE)
					.until(() -> isUsable(template, key)));
			System.out.println("all usable");
		}
	}

	/** Returns what a caller may do without stack. */
	private static Map<String, Consumer<String>> calls(CloseableLockTemplate template) {
		Map<String, Consumer<String>> calls = new LinkedHashMap<>();
		calls.put("run", (key) -> template.run(key, (lock) -> {
		}));
		calls.put("permit", (key) -> template.acquire(LockRequest.permit(key, 2)).close());
		calls.put("several",
				(key) -> template.acquire(LockRequest.ofAll(List.of(key, key + ":2")).waitAtMost(PATIENCE)).close());
		calls.put("async",
				(key) -> template.acquireAsync(LockRequest.of(key))
					.thenCompose(LockHandle::closeAsync)
					.toCompletableFuture()
					.join());
		calls.put("view", (key) -> {
			Lock lock = template.getLock(key);
			lock.lock();
			lock.unlock();
		});
		calls.put("look", template::isLocked);
		return calls;
	}

	/** Returns where a stack overflowed, and whether the engine had begun to work. */
	private static String place(Throwable failure) {
		List<String> frames = Arrays.stream(failure.getStackTrace()).map(StackTraceElement::getClassName).toList();
		boolean early = frames.get(0).endsWith("StackReserve");
		boolean begun = !early && frames.stream().anyMatch(DeepCalls::isInside);
		return frames.get(0) + (begun ? BEGUN : "");
	}

	/**
	 * Returns whether a class runs while a lock of the JDK or of a client may be taken.
	 */
	private static boolean isInside(String frame) {
		return frame.equals("io.distlock.internal.monitor.Monitor") || frame.startsWith("io.distlock.records.")
				|| frame.startsWith("io.distlock.jdbc.");
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
