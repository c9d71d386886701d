package io.distlock.sample.stock;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.distlock.sample.SecondNode;
import io.distlock.sample.Shop;
import io.distlock.sample.ShopApplication;
import jakarta.servlet.Filter;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shop under load with {@code spring.threads.virtual.enabled}: no thread that waits
 * for a lock keeps its carrier. Where there are no virtual threads, the same load on
 * platform threads.
 */
@SpringBootTest(classes = { ShopApplication.class, VirtualThreadWebTests.Watched.class },
		webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.threads.virtual.enabled=true", "distributed-lock.locks.stock.wait-time=2m",
				SecondNode.PATIENT_STOCK, SecondNode.PATIENT_LOCK })
@Tag("ci")
class VirtualThreadWebTests {

	private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

	private static final int CUSTOMERS = 200;

	@TempDir
	private Path directory;

	@LocalServerPort
	private int port;

	@Autowired
	private Shelf shelf;

	@Autowired
	private Threads threads;

	@Test
	void salesWhenOnVirtualThreadsThenAreExactAndNoneIsPinnedByTheLock() throws IOException {
		Shop shop = new Shop(this.port);
		this.shelf.put("lamp", CUSTOMERS + 1);
		// Classes are initialized once, and that pins the thread that needs them first.
		assertThat(shop.post("/stock/lamp/deduct").statusCode()).isEqualTo(200);
		List<HttpResponse<String>> answers;
		List<RecordedEvent> pinned;
		try (Recording recording = record()) {
			answers = shop.post("/stock/lamp/deduct", CUSTOMERS);
			pinned = pinnedByLock(recording);
		}
		assertThat(answers).extracting(HttpResponse::body)
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, CUSTOMERS)
				.mapToObj((left) -> "{\"sku\":\"lamp\",\"left\":" + left + "}")
				.toList());
		assertThat(this.shelf.left("lamp")).isZero();
		assertThat(this.threads.virtual).containsExactly(VIRTUAL);
		assertThat(pinned).isEmpty();
	}

	/**
	 * The recording would show it: a thread that parks in a class initializer is pinned
	 * on all versions.
	 */
	@Test
	void recordingWhenAThreadIsPinnedThenShowsIt() throws Exception {
		try (Recording recording = record()) {
			CountDownLatch done = new CountDownLatch(1);
			start(() -> {
				Pinned.initialize();
				done.countDown();
			});
			assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
			assertThat(pinnedByLock(recording)).hasSize(VIRTUAL ? 1 : 0);
		}
	}

	private static Recording record() {
		Recording recording = new Recording();
		recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
		recording.start();
		return recording;
	}

	private List<RecordedEvent> pinnedByLock(Recording recording) throws IOException {
		recording.stop();
		Path file = Files.createTempFile(this.directory, "pinned", ".jfr");
		recording.dump(file);
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
			.filter((event) -> event.getStackTrace() != null)
			.filter((event) -> isInLock(event.getStackTrace().getFrames()))
			.toList();
	}

	/**
	 * From where the thread parked, up to the shop's first method: what is there of the
	 * lock's is what made it park. A body that parks is the shop's.
	 */
	private static boolean isInLock(List<RecordedFrame> frames) {
		return frames.stream()
			.map((frame) -> frame.getMethod().getType().getName())
			.takeWhile((type) -> !type.startsWith("io.distlock.sample."))
			.anyMatch((type) -> type.startsWith("io.distlock."));
	}

	private static void start(Runnable task) throws ReflectiveOperationException {
		if (VIRTUAL) {
			Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
		}
		else {
			new Thread(task).start();
		}
	}

	private static final class Pinned {

		static {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}

		static void initialize() {
		}

	}

	/** On what kind of threads requests were served. */
	static final class Threads {

		private final Set<Boolean> virtual = ConcurrentHashMap.newKeySet();

		void add(Thread thread) throws ReflectiveOperationException {
			this.virtual.add(VIRTUAL && (boolean) Thread.class.getMethod("isVirtual").invoke(thread));
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Watched {

		@Bean
		Threads threads() {
			return new Threads();
		}

		@Bean
		Filter threadWatch(Threads threads) {
			return (request, response, chain) -> {
				try {
					threads.add(Thread.currentThread());
				}
				catch (ReflectiveOperationException ex) {
					throw new IllegalStateException(ex);
				}
				chain.doFilter(request, response);
			};
		}

	}

}
