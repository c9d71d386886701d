package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;

import io.distlock.DefaultLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** What a method returns that got no lock, by what the refusal answered. */
class RefusalAnswerTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final DefaultLockTemplate template = new DefaultLockTemplate(new InMemoryLockStore(this.server),
			LockSettings.DEFAULTS.withWaitTime(Duration.ZERO));

	private final DefaultLockTemplate other = new DefaultLockTemplate(new InMemoryLockStore(this.server),
			LockSettings.DEFAULTS);

	@BeforeEach
	void busy() {
		this.other.acquire(LockRequest.of("busy"));
	}

	@AfterEach
	void close() {
		this.template.close();
		this.other.close();
	}

	private Jobs jobsAnswering(Refusal refusal) {
		ProxyFactory factory = new ProxyFactory(new Jobs());
		factory.setProxyTargetClass(true);
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			LockSite site = new LockSite(invocation.getMethod());
			CallStyle style = CallStyles.of(site, Jobs.class);
			LockedMethod method = new LockedMethod(site, "busy", List.of(), null, LockMode.EXCLUSIVE,
					LockTuning.DEFAULTS, style, refusal);
			Object target = invocation.getThis();
			assertThat(target).isNotNull();
			return style.run(new LockedCall(invocation, target, method, this.template, null, new NestedLocks()));
		});
		return (Jobs) factory.getProxy();
	}

	private static Refusal with(@Nullable Object answer) {
		return (call, reason) -> {
			assertThat(reason).isInstanceOf(LockBusyException.class);
			return answer;
		};
	}

	@Test
	void nothingIsAnEmptyResult() {
		Jobs jobs = jobsAnswering(with(null));
		assertThat(jobs.stage()).succeedsWithin(SOON).isNull();
		assertThat(jobs.mono().block(SOON)).isNull();
		assertThat(jobs.flux().collectList().block(SOON)).isEmpty();
	}

	@Test
	void answerOfTheMethodsTypeIsFollowed() {
		assertThat(jobsAnswering(with(CompletableFuture.completedFuture("other"))).stage()).succeedsWithin(SOON)
			.isEqualTo("other");
		assertThat(jobsAnswering(with(Mono.just("other"))).mono().block(SOON)).isEqualTo("other");
		assertThat(jobsAnswering(with(Flux.just("a", "b"))).flux().collectList().block(SOON)).containsExactly("a", "b");
	}

	@Test
	void valueStandsForItself() {
		Jobs jobs = jobsAnswering(with("value"));
		assertThat(jobs.stage()).succeedsWithin(SOON).isEqualTo("value");
		assertThat(jobs.mono().block(SOON)).isEqualTo("value");
		assertThat(jobs.flux().collectList().block(SOON)).containsExactly("value");
	}

	@Test
	void whatIsThrownIsTheFailure() {
		Jobs jobs = jobsAnswering((call, reason) -> {
			throw new IllegalArgumentException("handled", reason);
		});
		assertThat(jobs.stage()).failsWithin(SOON).withThrowableThat().havingCause().withMessage("handled");
		assertThat(jobs.mono().toFuture()).failsWithin(SOON).withThrowableThat().havingCause().withMessage("handled");
	}

	static class Jobs {

		CompletableFuture<String> stage() {
			throw new IllegalStateException("Runs without the lock");
		}

		Mono<String> mono() {
			throw new IllegalStateException("Runs without the lock");
		}

		Flux<String> flux() {
			throw new IllegalStateException("Runs without the lock");
		}

	}

}
