package io.distlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.LockOperations;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The events of the flight recorder, read back from a recording. */
class FlightRecordingTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42\n").named("stock").calledFrom("Stock.sell");

	private final InMemoryLockServer server = new InMemoryLockServer();

	@TempDir
	private Path folder;

	private List<RecordedEvent> record(Consumer<Recording> settings, Consumer<CloseableLockTemplate> body)
			throws IOException {
		Path file = this.folder.resolve("locks.jfr");
		try (Recording recording = new Recording();
				CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
					.build()) {
			settings.accept(recording);
			recording.start();
			body.accept(template);
			recording.stop();
			recording.dump(file);
		}
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().startsWith("io.distlock."))
			.toList();
	}

	private static void enable(Recording recording) {
		List.of("Acquire", "Hold", "HandOver", "Lost")
			.forEach((name) -> recording.enable("io.distlock." + name).withoutThreshold());
	}

	/**
	 * A lock that the store has not seen for a second is not handed over within the
	 * process.
	 */
	@Test
	void aRecordingHasEachStep() throws Exception {
		Standstill.repeat(this::recordEachStep);
	}

	private void recordEachStep() throws IOException {
		Map<String, List<RecordedEvent>> events = record(FlightRecordingTests::enable, (template) -> {
			LockHandle first = template.acquire(LOCK);
			Thread second = new Thread(() -> template.acquire(LOCK).close());
			second.start();
			Awaitility.await().until(() -> LockOperations.of(template).waitingHere().size() == 1);
			template.acquire(LOCK.mode(LockMode.SHARED)).close();
			first.close();
			join(second);
			LockHandle lost = template.acquire(LOCK.leaseFor(Duration.ofSeconds(1)));
			AtomicBoolean notified = new AtomicBoolean();
			lost.onLost((handle) -> notified.set(true));
			// The event is written before callbacks run, but after the hold has ended.
			Awaitility.await().untilTrue(notified);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lost::close);
		}).stream().collect(Collectors.groupingBy((event) -> event.getEventType().getName()));
		assertThat(events.values()).allSatisfy((each) -> assertThat(each)
			.allSatisfy((event) -> assertThat(event.getStackTrace()).as("it would show our frames only").isNull()));
		assertThat(events.get("io.distlock.Acquire")).extracting((event) -> event.getString("outcome"))
			.containsExactlyInAnyOrder("FREE", "NESTED", "HERE", "FREE");
		assertThat(events.get("io.distlock.Hold")).extracting((event) -> event.getString("end"))
			.containsExactlyInAnyOrder("RELEASED", "RELEASED", "LOST");
		assertThat(events.get("io.distlock.HandOver")).singleElement().satisfies((event) -> {
			assertThat(event.getString("how")).isEqualTo("HERE");
			assertThat(event.getString("before")).contains("Stock.sell");
		});
		assertThat(events.get("io.distlock.Lost")).singleElement().satisfies((event) -> {
			assertThat(event.getString("name")).isEqualTo("stock");
			assertThat(event.getString("key")).isEqualTo("stock:42\\n");
			assertThat(event.getString("caller")).isEqualTo("Stock.sell");
			assertThat(event.getString("reason")).isEqualTo("EXPIRED");
			assertThat(event.getLong("fencingToken")).isPositive();
		});
		assertThat(events.get("io.distlock.Hold")).anyMatch((event) -> event.getDuration().toMillis() >= 900);
	}

	@Test
	void aThresholdLeavesShortOnesOut() throws IOException {
		List<RecordedEvent> events = record((recording) -> {
			enable(recording);
			recording.enable("io.distlock.Acquire").withThreshold(Duration.ofSeconds(10));
		}, (template) -> template.acquire(LOCK).close());
		assertThat(events).extracting((event) -> event.getEventType().getName()).containsExactly("io.distlock.Hold");
	}

	@Test
	void nothingIsRecordedUnlessAsked() throws IOException {
		assertThat(record(
				(recording) -> List.of("Acquire", "Hold", "HandOver", "Lost")
					.forEach((name) -> recording.disable("io.distlock." + name)),
				(template) -> template.acquire(LOCK).close()))
			.isEmpty();
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
