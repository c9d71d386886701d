package io.distlock.ways.order;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.LockTemplate;
import io.distlock.output.DocPage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Resilience4j outside of the lock, as the documentation and a warning say. */
@SpringBootTest(classes = OrderOfAdviceTests.App.class,
		properties = { "distributed-lock.store=memory", "spring.cache.type=simple",
				"resilience4j.retry.retry-aspect-order=0", "resilience4j.retry.instances.neighbour.wait-duration=1ms",
				"resilience4j.timelimiter.time-limiter-aspect-order=0",
				"resilience4j.timelimiter.instances.neighbour.timeout-duration=50ms" })
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class ResilienceOutsideTests {

	@Autowired
	private Neighbours neighbours;

	@Autowired
	private LockTemplate locks;

	@Test
	void timeLimiterLeavesTheLockUntilTheWorkEnds(CapturedOutput output) {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = this.neighbours.timed(work);
		assertThatThrownBy(() -> result.orTimeout(60, TimeUnit.SECONDS).join()).isInstanceOf(CompletionException.class)
			.hasCauseInstanceOf(TimeoutException.class);
		assertThat(this.locks.isLocked("timed")).isTrue();
		assertThat(work).isNotDone();
		work.complete("");
		Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !this.locks.isLocked("timed"));
		assertThat(output).doesNotContain("@TimeLimiter ends the method's result");
		DocPage.of("annotation.md")
			.says("`resilience4j.timelimiter.time-limiter-aspect-order=0`: the lock is held until the work ends");
	}

	@Test
	void eachAttemptTakesTheLock() {
		assertThatIllegalStateException().isThrownBy(this.neighbours::attempt);
		assertThat(this.neighbours.locksTaken()).isEqualTo(3);
		DocPage.of("annotation.md").says("`resilience4j.retry.retry-aspect-order=0`");
	}

}
