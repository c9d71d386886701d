package io.distlock.spring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/** Locked methods that are called on a thread that must not block. */
@ExtendWith(OutputCaptureExtension.class)
class EventLoopTests {

	@Test
	void plainReturnTypeIsWarnedOfOncePerMethod(CapturedOutput output) {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			Stock stock = application.get(Stock.class);
			for (int i = 0; i < 2; i++) {
				assertThat(Mono.fromCallable(stock::plain).subscribeOn(Schedulers.parallel()).block())
					.isEqualTo("plain");
				Mono.fromRunnable(stock::other).subscribeOn(Schedulers.parallel()).block();
			}
		}
		assertThat(output.toString().split("returns a plain value", -1)).hasSize(3);
		assertThat(output).containsOnlyOnce(
				"@DistributedLock on EventLoopTests.Stock.plain() returns a plain value, so it blocks its caller, thread 'parallel-")
			.containsOnlyOnce("@DistributedLock on EventLoopTests.Stock.other() returns a plain value");
	}

	@Test
	void othersAreNotWarnedOf(CapturedOutput output) {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			Stock stock = application.get(Stock.class);
			stock.plain();
			assertThat(Mono.fromCallable(stock::plain).subscribeOn(Schedulers.boundedElastic()).block())
				.isEqualTo("plain");
			assertThat(stock.reactive().subscribeOn(Schedulers.parallel()).block()).isEqualTo("reactive");
		}
		assertThat(output).doesNotContain("returns a plain value");
	}

	static class Stock {

		@DistributedLock(name = "plain")
		String plain() {
			return "plain";
		}

		@DistributedLock(name = "other")
		void other() {
		}

		@DistributedLock(name = "reactive")
		Mono<String> reactive() {
			return Mono.just("reactive");
		}

	}

}
