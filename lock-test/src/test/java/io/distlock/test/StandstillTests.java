package io.distlock.test;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StandstillTests {

	private static final Duration STOPPED = Duration.ofMillis(500);

	/** As a machine that stalls does. */
	private static void standStill() throws IOException, InterruptedException {
		String stop = "kill -STOP $1; sleep " + STOPPED.toMillis() / 1000.0 + "; kill -CONT $1";
		Process shell = new ProcessBuilder("sh", "-c", stop, "sh", Long.toString(ProcessHandle.current().pid()))
			.start();
		assertThat(shell.waitFor()).isZero();
	}

	@Test
	void timedWhenStoppedThenTheStandstillDoesNotCount() throws Exception {
		long begun = System.nanoTime();
		Duration before = Standstill.total();
		Duration timed = Standstill.timed(StandstillTests::standStill);
		Duration stood = Standstill.total().minus(before);
		Duration real = Duration.ofNanos(System.nanoTime() - begun);
		assertThat(stood).isBetween(STOPPED.minusMillis(50), real);
		assertThat(timed).isBetween(Duration.ZERO, real.minus(STOPPED.minusMillis(50)));
	}

	@Test
	void timedWhenItWaitsThenThatCounts() throws Exception {
		Duration before = Standstill.total();
		Duration timed = Standstill.timed(() -> Pause.of(STOPPED));
		assertThat(timed.plus(Standstill.total().minus(before))).isGreaterThanOrEqualTo(STOPPED);
	}

	@Test
	void repeatWhenStoppedThenAgain() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		Standstill.repeat(() -> {
			if (attempts.incrementAndGet() == 1) {
				standStill();
				throw new AssertionError("spoiled");
			}
		});
		assertThat(attempts).hasValue(2);
	}

	/** Unless the machine happens to stall: then it fails the next time. */
	@Test
	void repeatWhenItFailsWithoutAStandstillThenFails() {
		AtomicInteger attempts = new AtomicInteger();
		Duration[] last = new Duration[1];
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> Standstill.repeat(() -> {
			attempts.incrementAndGet();
			last[0] = Standstill.total();
			throw new AssertionError("wrong");
		})).withMessage("wrong");
		assertThat(attempts.get() == 1 || !last[0].isZero()).isTrue();
	}

	@Test
	void repeatWhenItAlwaysFailsThenEnds() {
		AtomicInteger attempts = new AtomicInteger();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> Standstill.repeat(() -> {
			attempts.incrementAndGet();
			standStill();
			throw new IOException("for ever");
		}));
		assertThat(attempts).hasValue(5);
	}

}
