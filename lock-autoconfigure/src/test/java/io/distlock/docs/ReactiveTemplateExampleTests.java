package io.distlock.docs;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.autoconfigure.Fleet;
import io.distlock.spring.ReactiveLockContext;
import io.distlock.spring.reactive.ReactiveLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The reactive code of {@code docs/template.md}, on a real Redis. */
class ReactiveTemplateExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Reports reports = FLEET.get(Reports.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void monoAndFlux() {
		assertThat(this.reports.write("march").block(Duration.ofSeconds(20))).startsWith("march, token 1");
		assertThat(this.reports.lines("march").collectList().block(Duration.ofSeconds(20))).containsExactly("march, 1",
				"march, 2");
		assertThat(FLEET.isBusy("report:march")).isFalse();
	}

	@Test
	void busyIsEmpty() {
		assertThat(this.reports.archive().block(Duration.ofSeconds(20))).isTrue();
		try (LockHandle held = FLEET.other().acquire("archive")) {
			assertThat(this.reports.archive().block(Duration.ofSeconds(20))).isFalse();
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Reports.class)
	static class Application {

	}

	static class Reports {

		private final ReactiveLockTemplate locks;

		Reports(ReactiveLockTemplate locks) {
			this.locks = locks;
		}

		// tag::reactive[]
		public Mono<String> write(String month) {
			LockRequest request = LockRequest.of("report:" + month).waitAtMost(Duration.ofSeconds(3));
			return this.locks.mono(request, (lock) -> save(month, lock.fencingToken()));
		}

		public Flux<String> lines(String month) {
			return this.locks.flux("report:" + month, (lock) -> read(month));
		}

		public Mono<Boolean> archive() {
			return this.locks.tryMono("archive", (lock) -> clear().thenReturn(true)).defaultIfEmpty(false);
		}
		// end::reactive[]

		private Mono<String> save(String month, long token) {
			return Mono.just(month + ", token " + token);
		}

		private Flux<String> read(String month) {
			return Flux.just(month + ", 1", month + ", 2");
		}

		private Mono<Void> clear() {
			return ReactiveLockContext.ensureHeld();
		}

	}

}
