package io.distlock.spring.reactive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is held after a cancellation, at whatever point it comes. The lock is not
 * released while the body works, is released once, and before the subscriber learns of
 * the end.
 */
class ReactiveSchedulesTests {

	private static final int SCHEDULES = Integer.getInteger("schedules", 400);

	/** Enough to find a leak. It may be too short for a right schedule. */
	private static final Duration BRIEF = Duration.ofSeconds(1);

	private final ExecutorService threads = Executors.newFixedThreadPool(3);

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void everyScheduleOfAMonoReleases() {
		assertNoneWrong((schedule) -> template(schedule).mono("key", (lock) -> Mono.fromDirect(schedule.call(lock))));
	}

	@Test
	void everyScheduleOfAFluxReleases() {
		assertNoneWrong((schedule) -> template(schedule).flux("key", schedule::call));
	}

	/** The way that comes to mind first. It shows that these schedules find a leak. */
	@Test
	void usingWhenLeaksALock() {
		assertThat(firstWrong(
				(schedule) -> Mono.usingWhen(Mono.fromCompletionStage(() -> schedule.locks().acquireAsync("key")),
						(lock) -> Mono.fromDirect(schedule.call(lock)),
						(lock) -> Mono.fromCompletionStage(lock::closeAsync))))
			.endsWith("[held for ever]");
	}

	@Test
	void releaseBesideTheBodyIsFound() {
		assertThat(firstWrong((schedule) -> Flux.defer(() -> schedule.locks()
			.acquireAsync("key")
			.toCompletableFuture()
			.thenApply((lock) -> Flux.from(schedule.call(lock)).doOnSubscribe((subscription) -> lock.closeAsync()))
			.join()))).isNotEmpty();
	}

	private static ReactiveLockTemplate template(Schedule schedule) {
		return new ReactiveLockTemplate(schedule.locks());
	}

	private void assertNoneWrong(Function<Schedule, Publisher<String>> locked) {
		for (long seed = 0; seed < SCHEDULES; seed++) {
			Schedule schedule = new Schedule(seed, this.threads);
			assertThat(schedule.run(locked, TestThreads.LIMIT)).as("seed %d: %s", seed, schedule).isEmpty();
		}
	}

	/** Returns the first schedule in which something is wrong, and what. */
	private String firstWrong(Function<Schedule, Publisher<String>> locked) {
		for (long seed = 0; seed < SCHEDULES; seed++) {
			Schedule schedule = new Schedule(seed, this.threads);
			List<String> wrong = schedule.run(locked, BRIEF);
			if (!wrong.isEmpty()) {
				return "seed " + seed + ": " + schedule + ": " + wrong;
			}
		}
		return "";
	}

}
