package io.distlock.autoconfigure.web;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.LossReason;
import io.distlock.StaleFencingTokenException;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** HTTP answers to exceptions of locks, in applications with Spring MVC and WebFlux. */
class LockWebAutoConfigurationTests {

	private static final String SECRET = "secret-key";

	private static final AutoConfigurations LOCK = AutoConfigurations.of(LockAutoConfiguration.class,
			LockAnnotationAutoConfiguration.class, LockWebAutoConfiguration.class);

	private final WebApplicationContextRunner mvc = new WebApplicationContextRunner().withConfiguration(LOCK)
		.withUserConfiguration(MvcApplication.class)
		.withPropertyValues("distributed-lock.store=memory");

	private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
		.withConfiguration(LOCK)
		.withUserConfiguration(WebFluxApplication.class)
		.withPropertyValues("distributed-lock.store=memory");

	@ParameterizedTest
	@CsvSource({ "busy,409,1", "crowded,503,1", "store,503,1", "lost,500,", "stale,500," })
	void mvcAnswersWithProblemThatShowsNothingOfLock(String failure, int status, @Nullable String retryAfter) {
		this.mvc.run((context) -> {
			MockHttpServletResponse answer = get(context, "/throw/" + failure);
			assertThat(answer.getStatus()).isEqualTo(status);
			assertThat(answer.getContentType()).isEqualTo("application/problem+json");
			assertThat(answer.getHeader("Retry-After")).isEqualTo(retryAfter);
			assertThat(answer.getContentAsString()).contains("\"detail\":\"").doesNotContain(SECRET);
		});
	}

	@ParameterizedTest
	@CsvSource({ "busy,409,1", "crowded,503,1", "store,503,1", "lost,500,", "stale,500," })
	void webFluxAnswersWithProblemThatShowsNothingOfLock(String failure, int status, @Nullable String retryAfter) {
		this.webFlux.run((context) -> {
			EntityExchangeResult<String> answer = WebTestClient.bindToApplicationContext(context)
				.build()
				.get()
				.uri("/throw/" + failure)
				.exchange()
				.expectBody(String.class)
				.returnResult();
			assertThat(answer.getStatus().value()).isEqualTo(status);
			assertThat(answer.getResponseHeaders().getFirst("Content-Type")).isEqualTo("application/problem+json");
			assertThat(answer.getResponseHeaders().getFirst("Retry-After")).isEqualTo(retryAfter);
			assertThat(answer.getResponseBody()).contains("\"detail\":\"").doesNotContain(SECRET);
		});
	}

	@Test
	void handlerOfBusyLockIsAnsweredWithConflict() {
		this.mvc.run((context) -> {
			try (LockHandle held = TestThreads.get(context.getBean(LockTemplate.class).acquireAsync("shelf"))) {
				assertThat(held.isHeld()).isTrue();
				assertThat(get(context, "/shelf").getStatus()).isEqualTo(409);
			}
		});
	}

	@Test
	void retryAfterIsRoundedUpToSeconds() {
		this.mvc.withBean(LockProblemAdvice.class, () -> new LockProblemAdvice(Duration.ofMillis(2100)))
			.run((context) -> assertThat(get(context, "/throw/busy").getHeader("Retry-After")).isEqualTo("3"));
	}

	@Test
	void retryAfterOfZeroLeavesHeaderOut() {
		this.mvc.withBean(LockProblemAdvice.class, () -> new LockProblemAdvice(Duration.ZERO))
			.run((context) -> assertThat(get(context, "/throw/busy").getHeaderNames()).doesNotContain("Retry-After"));
	}

	@Test
	void handlerOfApplicationWins() {
		this.mvc.withUserConfiguration(OwnHandler.class).run((context) -> {
			assertThat(get(context, "/throw/busy").getStatus()).isEqualTo(423);
			assertThat(get(context, "/throw/store").getStatus()).isEqualTo(503);
		});
	}

	@Test
	void adviceOfApplicationReplacesOurs() {
		this.mvc.withBean(OwnAdvice.class).run((context) -> {
			assertThat(context).hasSingleBean(LockProblemAdvice.class);
			assertThat(get(context, "/throw/busy").getStatus()).isEqualTo(429);
			assertThat(get(context, "/throw/store").getStatus()).isEqualTo(503);
		});
	}

	private static MockHttpServletResponse get(WebApplicationContext context, String path) throws Exception {
		return MockMvcBuilders.webAppContextSetup(context)
			.build()
			.perform(MockMvcRequestBuilders.get(path))
			.andReturn()
			.getResponse();
	}

	private static RuntimeException failure(String name) {
		return switch (name) {
			case "busy" -> new LockBusyException(SECRET, "Lock '" + SECRET + "' is busy", Duration.ZERO, null);
			case "crowded" -> new LockBusyException(SECRET, "Lock '" + SECRET + "'", Duration.ZERO, null, true);
			case "store" -> new LockStoreException(SECRET, "Lock '" + SECRET + "'", null);
			case "stale" -> new StaleFencingTokenException(SECRET, 1, 2);
			default -> new LockLostException(new LockLoss("default", "", SECRET, 1, Instant.EPOCH, Instant.EPOCH,
					Instant.EPOCH, Duration.ofSeconds(1), "main", "", LossReason.TAKEN), null);
		};
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	@Import(Shop.class)
	static class MvcApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	@Import(Shop.class)
	static class WebFluxApplication {

	}

	@RestController
	static class Shop {

		private final LockTemplate template;

		Shop(LockTemplate template) {
			this.template = template;
		}

		@GetMapping("/throw/{name}")
		String fail(@PathVariable("name") String name) {
			throw failure(name);
		}

		@GetMapping("/shelf")
		String shelf() {
			return this.template.execute(LockRequest.of("shelf").waitAtMost(Duration.ZERO), (lock) -> "chair");
		}

	}

	@RestControllerAdvice
	static class OwnHandler {

		@ExceptionHandler(LockBusyException.class)
		ResponseEntity<Void> busy() {
			return ResponseEntity.status(HttpStatus.LOCKED).build();
		}

	}

	static class OwnAdvice extends LockProblemAdvice {

		OwnAdvice() {
			super(Duration.ZERO);
		}

		@Override
		public ResponseEntity<ProblemDetail> busy(LockBusyException ex) {
			return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS).build();
		}

	}

}
