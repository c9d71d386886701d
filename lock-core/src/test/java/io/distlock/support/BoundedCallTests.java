package io.distlock.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoundedCallTests {

	private static final long LONG = Duration.ofMinutes(1).toNanos();

	private final CountDownLatch never = new CountDownLatch(1);

	private final CompletableFuture<InterruptedException> interrupted = new CompletableFuture<>();

	@Test
	void runWhenAnsweredThenWaitsNotForWhatFollows() throws Exception {
		String answer = BoundedCall.run("call", BoundedCall.within(LONG), (result) -> {
			result.complete(Thread.currentThread().getName());
			this.never.await();
		});
		assertThat(answer).isEqualTo("call");
	}

	@Test
	void runWhenHangingThenIsInterrupted() {
		assertThatExceptionOfType(TimeoutException.class)
			.isThrownBy(() -> BoundedCall.run("call", BoundedCall.within(1), this::hang));
		assertThat(this.interrupted.join()).isNotNull();
	}

	@Test
	void runWhenCallerIsInterruptedThenCallIsToo() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> BoundedCall.run("call", BoundedCall.within(LONG), this::hang));
		assertThat(this.interrupted.join()).isNotNull();
	}

	@Test
	void runWhenTimeIsExtendedThenGoesOn() throws Exception {
		CountDownLatch extended = new CountDownLatch(1);
		AtomicInteger asked = new AtomicInteger();
		String answer = BoundedCall.run("call", () -> {
			if (asked.incrementAndGet() == 1) {
				return 0;
			}
			extended.countDown();
			return LONG;
		}, (result) -> {
			extended.await();
			result.complete("late");
		});
		assertThat(answer).isEqualTo("late");
	}

	@Test
	void runWhenErrorIsThrownThenIsTheCause() {
		Error incomplete = new NoClassDefFoundError("com/example/Driver");
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> BoundedCall.run("call", BoundedCall.within(LONG), (result) -> {
				throw incomplete;
			}))
			.satisfies((failure) -> assertThat(failure.getCause()).isSameAs(incomplete));
	}

	private void hang(CompletableFuture<String> result) {
		try {
			this.never.await();
		}
		catch (InterruptedException ex) {
			this.interrupted.complete(ex);
		}
	}

}
