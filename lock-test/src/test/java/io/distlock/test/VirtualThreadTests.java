package io.distlock.test;

import java.io.IOException;
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

import io.distlock.DefaultLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.memory.InMemoryLockStore;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many real threads at one lock: each outcome is seen and each wake arrives. On virtual
 * threads where there are any, and then without pinning a carrier.
 */
@Timeout(60)
class VirtualThreadTests {

	private static final int THREADS = 200;

	private static final int ROUNDS = 25;

	@Test
	void runWhenManyThreadsContendThenEachGetsItAndNoCarrierIsPinned(@TempDir Path directory) throws Exception {
		AtomicInteger inside = new AtomicInteger();
		int[] count = new int[1];
		LockRequest request = LockRequest.of("stock:42").waitAtMost(Duration.ofSeconds(50));
		List<RecordedEvent> pinned;
		try (DefaultLockTemplate template = new DefaultLockTemplate(new InMemoryLockStore(), LockSettings.DEFAULTS)) {
			pinned = pinnedDuring(directory, () -> inThreads(() -> template.run(request, (lock) -> {
				assertThat(inside.incrementAndGet()).isOne();
				count[0]++;
				LockSupport.parkNanos(1000);
				inside.decrementAndGet();
			})));
		}
		assertThat(count[0]).isEqualTo(THREADS * ROUNDS);
		assertThat(pinned).isEmpty();
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

	/** What the JVM reports of pinned carriers; an event it does not know never comes. */
	private static List<RecordedEvent> pinnedDuring(Path directory, Runnable action) throws IOException {
		Path file = directory.resolve("pinned.jfr");
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withStackTrace().withThreshold(Duration.ZERO);
			recording.start();
			action.run();
			recording.stop();
			recording.dump(file);
		}
		assertThat(Files.size(file)).isPositive();
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
			.filter((event) -> String.valueOf(event.getStackTrace()).contains("io.distlock"))
			.toList();
	}

}
