package io.distlock.spring.intercept;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.spring.definition.LockedMethods;

import static org.assertj.core.api.Assertions.assertThat;

/** What a method returns that got no lock, by what the policy answered. */
class NoLockAnswerTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
		.settings(LockSettings.builder().waitTime(Duration.ZERO).build())
		.build();

	private final CloseableLockTemplate other = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
		.build();

	@BeforeEach
	void busy() {
		this.other.acquire(LockRequest.of("busy"));
	}

	@AfterEach
	void close() {
		this.template.close();
		this.other.close();
	}

	private Jobs jobsAnswering(NoLockPolicy policy) {
		ProxyFactory factory = new ProxyFactory(new Jobs());
		factory.setProxyTargetClass(true);
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			LockedMethodId id = new LockedMethodId(invocation.getMethod());
			CallStyle style = CallStyles.of(id, Jobs.class);
			LockedMethod method = new LockedMethods(new DefaultListableBeanFactory(), Map.of())
				.get(invocation.getMethod(), Jobs.class);
			Object target = invocation.getThis();
			assertThat(target).isNotNull();
			return style.run(new LockedCall(invocation, target, method, this.template, null, new NestedLocks()),
					policy);
		});
		return (Jobs) factory.getProxy();
	}

	private static NoLockPolicy with(@Nullable Object answer) {
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

		@DistributedLock(name = "busy")
		CompletableFuture<String> stage() {
			throw new IllegalStateException("Runs without the lock");
		}

		@DistributedLock(name = "busy")
		Mono<String> mono() {
			throw new IllegalStateException("Runs without the lock");
		}

		@DistributedLock(name = "busy")
		Flux<String> flux() {
			throw new IllegalStateException("Runs without the lock");
		}

	}

}
