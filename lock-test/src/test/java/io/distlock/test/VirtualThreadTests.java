package io.distlock.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many real threads at one lock: each outcome is seen and each wake arrives. On virtual
 * threads where there are any.
 */
class VirtualThreadTests {

	private static final int THREADS = 200;

	private static final int ROUNDS = 25;

	@Test
	void runWhenManyThreadsContendThenEachGetsItAlone() {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger crowd = new AtomicInteger();
		int[] count = new int[1];
		LockRequest request = LockRequest.of("stock:42").waitAtMost(Duration.ofSeconds(50));
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build()) {
			inThreads(() -> template.run(request, (lock) -> {
				crowd.accumulateAndGet(inside.incrementAndGet(), Math::max);
				count[0]++;
				LockSupport.parkNanos(1000);
				inside.decrementAndGet();
			}));
		}
		assertThat(crowd).hasValue(1);
		assertThat(count[0]).isEqualTo(THREADS * ROUNDS);
	}

	/**
	 * Before Java 24 a virtual thread that parks in a synchronized block pins its
	 * carrier.
	 */
	@Test
	void engineWhenItMayParkThenIsNotSynchronized() throws IOException {
		try (Stream<Path> core = Files.walk(Path.of("..", "lock-core", "src", "main", "java"));
				Stream<Path> records = Files.walk(Path.of("..", "lock-records", "src", "main", "java"))) {
			List<String> found = Stream.concat(core, records)
				.filter((file) -> file.toString().endsWith(".java"))
				.filter(VirtualThreadTests::isSynchronized)
				.map((file) -> file.getFileName().toString())
				.toList();
			assertThat(found).as("only arithmetic").containsExactly("RenewalLag.java");
		}
	}

	private static boolean isSynchronized(Path file) {
		try (Stream<String> lines = Files.lines(file)) {
			return lines.map(String::strip)
				.filter((line) -> !line.startsWith("*") && !line.startsWith("/"))
				.anyMatch((line) -> line.matches("(.*\\W)?synchronized\\W.*"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void inThreads(Runnable task) {
		Executor starter = starter();
		List<CompletableFuture<Void>> done = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			done.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < ROUNDS; round++) {
					task.run();
				}
			}, starter));
		}
		CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0])).orTimeout(50, TimeUnit.SECONDS).join();
	}

	/** Virtual threads since Java 21; the code is compiled for an older one. */
	private static Executor starter() {
		if (Runtime.version().feature() < 21) {
			return (task) -> new Thread(task).start();
		}
		return (task) -> {
			try {
				Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		};
	}

}
