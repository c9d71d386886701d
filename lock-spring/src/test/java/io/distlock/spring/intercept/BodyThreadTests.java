package io.distlock.spring.intercept;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AdviceMode;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockTemplate;
import io.distlock.OnStoreFailure;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.definition.LockedMethods;

import static org.assertj.core.api.Assertions.assertThat;

/** Who calls the body when the lock is there before anybody could listen. */
class BodyThreadTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** A template that is always faster than its caller. */
	private static LockTemplate eager(LockTemplate template) {
		return (LockTemplate) Proxy.newProxyInstance(LockTemplate.class.getClassLoader(),
				new Class<?>[] { LockTemplate.class }, (proxy, method, arguments) -> {
					try {
						Object result = method.invoke(template, arguments);
						if (result instanceof CompletionStage<?> stage) {
							stage.toCompletableFuture().handle((value, failure) -> value).join();
						}
						return result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	@Test
	void bodyIsNeverCalledByTheCaller() {
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build()) {
			DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
			Invokers invokers = new Invokers(new LockedMethods(beans, Map.of()), beans, OnStoreFailure.FAIL);
			ProxyFactory factory = new ProxyFactory(new Jobs());
			factory.setProxyTargetClass(true);
			factory.addAdvisor(new LockAdvisor(invokers, () -> eager(template), AdviceMode.PROXY));
			Jobs jobs = (Jobs) factory.getProxy();
			assertThat(jobs.stage()).succeedsWithin(SOON).isEqualTo("distributed-lock-callback");
			assertThat(jobs.mono().block(SOON)).isEqualTo("distributed-lock-callback");
		}
	}

	static class Jobs {

		@DistributedLock(name = "stage")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		@DistributedLock(name = "mono")
		public Mono<String> mono() {
			return Mono.just(Thread.currentThread().getName());
		}

	}

}
