package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;

import io.distlock.DefaultLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.memory.InMemoryLockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** The lock is there before the caller asks what comes then: the body is not its task. */
@Timeout(60)
class InstantLockTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final DefaultLockTemplate template = new DefaultLockTemplate(new InMemoryLockStore(),
			LockSettings.DEFAULTS);

	@AfterEach
	void close() {
		this.template.close();
	}

	private Jobs jobs() {
		ProxyFactory factory = new ProxyFactory(new Jobs());
		factory.setProxyTargetClass(true);
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			LockSite site = new LockSite(invocation.getMethod());
			CallStyle style = CallStyles.of(site, Jobs.class);
			LockedMethod method = new LockedMethod(site, "job", List.of(), null, LockMode.EXCLUSIVE,
					LockTuning.DEFAULTS, style, (call, reason) -> {
						throw reason;
					});
			Object target = invocation.getThis();
			assertThat(target).isNotNull();
			return style
				.run(new LockedCall(invocation, target, method, new Instant(this.template), null, new NestedLocks()));
		});
		return (Jobs) factory.getProxy();
	}

	@Test
	void stageRunsOnAThreadOfTheLock() {
		assertThat(jobs().stage()).succeedsWithin(SOON).isEqualTo("distributed-lock-callback");
	}

	@Test
	void monoRunsOnAThreadOfTheLock() {
		assertThat(jobs().mono().block(SOON)).isEqualTo("distributed-lock-callback");
	}

	@Test
	void fluxRunsOnAThreadOfTheLock() {
		assertThat(jobs().flux().blockLast(SOON)).isEqualTo("distributed-lock-callback");
	}

	static class Jobs {

		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		Mono<String> mono() {
			return Mono.just(Thread.currentThread().getName());
		}

		Flux<String> flux() {
			return Flux.just(Thread.currentThread().getName());
		}

	}

	/** Answers no asynchronous request before the answer is known. */
	private record Instant(LockTemplate template) implements LockTemplate {

		@Override
		public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
			CompletionStage<LockHandle> acquisition = this.template.acquireAsync(request);
			acquisition.toCompletableFuture().join();
			return acquisition;
		}

		@Override
		public LockHandle acquire(LockRequest request) {
			return this.template.acquire(request);
		}

		@Override
		public Optional<LockHandle> tryAcquire(LockRequest request) {
			return this.template.tryAcquire(request);
		}

		@Override
		public Lock getLock(String key) {
			return this.template.getLock(key);
		}

		@Override
		public ReadWriteLock getReadWriteLock(String key) {
			return this.template.getReadWriteLock(key);
		}

	}

}
