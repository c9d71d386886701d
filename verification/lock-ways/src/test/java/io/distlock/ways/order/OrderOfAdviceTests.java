package io.distlock.ways.order;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.output.DocPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each row of the table of order in the documentation, with the default orders. */
@SpringBootTest(properties = { "distributed-lock.store=memory", "spring.cache.type=simple",
		"resilience4j.retry.instances.neighbour.wait-duration=1ms",
		"resilience4j.timelimiter.instances.neighbour.timeout-duration=50ms" })
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class OrderOfAdviceTests {

	private static final DocPage PAGE = DocPage.of("annotation.md");

	@Autowired
	private Neighbours neighbours;

	@Autowired
	private Probe probe;

	@Autowired
	private LockTemplate locks;

	@BeforeEach
	void authenticate() {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("boss", ""));
	}

	@AfterEach
	void forget() {
		SecurityContextHolder.clearContext();
	}

	private static void insideOfLock(String row, boolean inside) {
		PAGE.says("| " + row + " | " + (inside ? "inside" : "outside"));
	}

	@Test
	void security() {
		assertThat(this.neighbours.authorized()).isEqualTo("neighbour");
		assertThat(this.probe.isInside("pre")).isFalse();
		assertThat(this.probe.isInside("post")).isFalse();
		insideOfLock("`@PreAuthorize`, `@PostAuthorize`, `@Secured` of Spring Security", false);
	}

	@Test
	void transactions() {
		this.neighbours.transactional();
		assertThat(this.probe.isInside("transaction")).isTrue();
		insideOfLock("`@Transactional`", true);
	}

	@Test
	void cache() {
		this.neighbours.cached();
		assertThat(this.probe.isInside("cache")).isTrue();
		insideOfLock("`@Cacheable`", true);
	}

	@Test
	void validation() {
		try (LockHandle held = this.locks.acquireAsync("neighbour").toCompletableFuture().join()) {
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.neighbours.validated(null));
		}
		insideOfLock("`@Validated`", true);
	}

	@Test
	void async() {
		assertThat(this.neighbours.async().orTimeout(60, TimeUnit.SECONDS).join()).startsWith("neighbour:")
			.isNotEqualTo("neighbour:" + Thread.currentThread().getName());
		insideOfLock("`@Async`", false);
	}

	@Test
	void springRetry() {
		assertThatIllegalStateException().isThrownBy(this.neighbours::retried);
		assertThat(this.neighbours.locksTaken()).isOne();
		insideOfLock("`@Retryable` of spring-retry", true);
	}

	@Test
	void resilience() {
		this.neighbours.retry();
		assertThat(this.neighbours.locksTaken()).isOne();
		this.neighbours.breaker();
		this.neighbours.limited();
		this.neighbours.bulkhead();
		for (String each : new String[] { "retry", "breaker", "limiter", "bulkhead" }) {
			assertThat(this.probe.isInside(each)).as(each).isTrue();
		}
		insideOfLock("`@Retry`, `@CircuitBreaker`, `@RateLimiter`, `@Bulkhead` of Resilience4j", true);
	}

	/** The lock is free although the work goes on. */
	@Test
	void timeLimiter(CapturedOutput output) {
		CompletableFuture<String> result = this.neighbours.timed(new CompletableFuture<String>().copy());
		assertThatThrownBy(() -> result.orTimeout(60, TimeUnit.SECONDS).join()).isInstanceOf(CompletionException.class)
			.hasCauseInstanceOf(TimeoutException.class);
		this.locks.run(LockRequest.of("timed"), (lock) -> assertThat(lock.isHeld()).isTrue());
		insideOfLock("`@TimeLimiter` of Resilience4j", true);
		String warning = output.toString()
			.lines()
			.filter((line) -> line.contains("@TimeLimiter ends the method's result"))
			.findFirst()
			.orElseThrow();
		DocPage.of("startup-messages.md")
			.says(warning.substring(warning.indexOf("@DistributedLock"))
				.replace("Neighbours.timed(CompletableFuture)", "StockService.deductLater(String, int)"));
	}

	@Test
	void ownAspect() {
		this.neighbours.ofOwnAspect();
		assertThat(this.probe.isInside("aspect")).isTrue();
		insideOfLock("an aspect without `@Order`", true);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableMethodSecurity
	@EnableCaching(proxyTargetClass = true)
	@EnableRetry(proxyTargetClass = true)
	@EnableAsync(proxyTargetClass = true)
	@Import({ Neighbours.class, Neighbours.OwnAspect.class })
	static class App {

		@Bean
		Probe probe() {
			return new Probe();
		}

	}

}
