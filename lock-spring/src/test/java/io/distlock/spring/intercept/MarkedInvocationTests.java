package io.distlock.spring.intercept;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.aop.aspectj.annotation.AnnotationAwareAspectJAutoProxyCreator;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.OnStoreFailure;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.definition.LockedMethods;

import static org.assertj.core.api.Assertions.assertThat;

/** Proxies in an application whose methods may be woven as well. */
class MarkedInvocationTests {

	@Test
	void adviceInsideOfTheLockKnowsItsCallAlsoOnAnotherThread() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
				CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build()) {
			Invokers invokers = new Invokers(new LockedMethods(context.getBeanFactory(), Map.of()),
					context.getBeanFactory(), OnStoreFailure.FAIL);
			context.registerBean(AnnotationAwareAspectJAutoProxyCreator.class);
			context.registerBean(LockAdvisor.class, () -> new LockAdvisor(invokers, () -> template, AdviceMode.ASPECTJ),
					(definition) -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
			context.registerBean(Counting.class);
			context.registerBean(Jobs.class);
			context.refresh();
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.plain("a")).isEqualTo("plain a");
			assertThat(jobs.stage("a")).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("stage a");
			assertThat(jobs.mono("a").block(Duration.ofSeconds(20))).isEqualTo("mono a");
			assertThat(context.getBean(Counting.class).calls).hasValue(3);
		}
	}

	@Aspect
	static class Counting {

		final AtomicInteger calls = new AtomicInteger();

		@Before("execution(* io.distlock.spring.intercept.MarkedInvocationTests.Jobs.*(String)) && args(item)")
		public void count(String item) {
			this.calls.incrementAndGet();
		}

	}

	static class Jobs {

		@DistributedLock(key = "#item")
		public String plain(String item) {
			return "plain " + item;
		}

		@DistributedLock(key = "#item")
		public CompletableFuture<String> stage(String item) {
			return CompletableFuture.completedFuture("stage " + item);
		}

		@DistributedLock(key = "#item")
		public Mono<String> mono(String item) {
			return Mono.just("mono " + item);
		}

	}

}
