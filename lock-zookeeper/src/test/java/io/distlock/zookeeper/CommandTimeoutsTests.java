package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Each command ends in time, and one look at a time is planned. */
class CommandTimeoutsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final List<Runnable> planned = new ArrayList<>();

	private long now = Long.MAX_VALUE - 5;

	private final CommandTimeouts timeouts = new CommandTimeouts(TIMEOUT, () -> this.now,
			(nanos, action) -> this.planned.add(() -> {
				this.now += nanos;
				action.run();
			}));

	private void lookOnce() {
		this.planned.remove(0).run();
	}

	@Test
	void commandWithoutAnswerEndsWithinItsTimeout() {
		long begun = this.now;
		CompletableFuture<String> command = this.timeouts.limit(new CompletableFuture<>());
		while (!command.isDone()) {
			assertThat(this.planned).hasSize(1);
			lookOnce();
		}
		assertThat(command).isCompletedExceptionally();
		assertThat(command.handle((answer, failure) -> failure).join()).isInstanceOf(TimeoutException.class);
		assertThat(Duration.ofNanos(this.now - begun)).isBetween(TIMEOUT.multipliedBy(9).dividedBy(10), TIMEOUT);
		assertThat(this.planned).isEmpty();
	}

	@Test
	void laterCommandHasItsOwnTime() {
		CompletableFuture<String> first = this.timeouts.limit(new CompletableFuture<>());
		this.now += TIMEOUT.toNanos() / 2;
		CompletableFuture<String> second = this.timeouts.limit(new CompletableFuture<>());
		while (!first.isDone()) {
			lookOnce();
		}
		assertThat(second).isNotDone();
		second.complete("in time");
		lookOnce();
		assertThat(second).isCompletedWithValue("in time");
		assertThat(this.timeouts.size()).isZero();
		assertThat(this.planned).isEmpty();
	}

	@Test
	void answeredCommandsAreForgottenAndPlanNothing() {
		for (int i = 0; i < 1000; i++) {
			this.timeouts.limit(new CompletableFuture<>()).complete(i);
		}
		assertThat(this.planned).hasSize(1);
		lookOnce();
		assertThat(this.timeouts.size()).isZero();
		assertThat(this.planned).isEmpty();
		this.timeouts.limit(CompletableFuture.completedFuture("at once"));
		assertThat(this.planned).isEmpty();
	}

	@Test
	void nextCommandPlansALookThatCouldNotBePlanned() {
		List<Runnable> plans = new ArrayList<>();
		CommandTimeouts fragile = new CommandTimeouts(TIMEOUT, () -> this.now, (nanos, action) -> {
			plans.add(action);
			if (plans.size() == 1) {
				throw new OutOfMemoryError("no thread");
			}
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> fragile.limit(new CompletableFuture<>()));
		CompletableFuture<String> second = fragile.limit(new CompletableFuture<>());
		this.now += TIMEOUT.toNanos();
		plans.get(1).run();
		assertThat(second).isCompletedExceptionally();
	}

	/** With the timer of the JDK. */
	@Test
	void timerEndsACommand() {
		CommandTimeouts real = CommandTimeouts.of(Duration.ofMillis(50));
		assertThat(real.limit(new CompletableFuture<>())).failsWithin(20, TimeUnit.SECONDS)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(TimeoutException.class);
	}

}
