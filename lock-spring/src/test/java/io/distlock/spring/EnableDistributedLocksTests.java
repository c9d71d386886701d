package io.distlock.spring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.event.LockEventPublisher;
import io.distlock.spring.event.LockLostEvent;
import io.distlock.test.Pause;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A Spring application without Spring Boot, with nothing but the annotation. */
@ExtendWith(OutputCaptureExtension.class)
class EnableDistributedLocksTests {

	private static AnnotationConfigApplicationContext start(Class<?>... components) {
		return new AnnotationConfigApplicationContext(components);
	}

	@Test
	void annotatedMethodRunsUnderItsLock() {
		try (AnnotationConfigApplicationContext context = start(Locks.class, Stock.class)) {
			Stock stock = context.getBean(Stock.class);
			assertThat(stock.deduct("a", 0)).isPositive();
			assertThat(stock.isBusyWithin(context.getBean(LockTemplate.class), "b")).isTrue();
		}
	}

	@Test
	void lossIsThrownAndPublished() {
		try (AnnotationConfigApplicationContext context = start(Locks.class, Stock.class, Losses.class)) {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(Stock.class).outliveTheLease());
			Losses losses = context.getBean(Losses.class);
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> losses.last != null)).isTrue();
			assertThat(losses.last.key()).isEqualTo("brief");
		}
	}

	@Test
	void reportAndWarningsAreLoggedUnlessTheirLoggersAreOff(CapturedOutput output) {
		Logger logger = (Logger) LoggerFactory.getLogger("io.distlock.spring");
		Level before = logger.getLevel();
		logger.setLevel(Level.INFO);
		start(Locks.class, Stock.class).close();
		assertThat(output).contains("3 methods have a distributed lock. Locks are kept in ", ", instance ")
			.contains("EnableDistributedLocksTests.Stock: sell() calls", "bypasses the proxy");
		int logged = output.length();
		logger.setLevel(Level.ERROR);
		start(Locks.class, Stock.class).close();
		assertThat(output.toString().substring(logged)).doesNotContain("distributed lock", "bypasses the proxy");
		logger.setLevel(before);
	}

	@Test
	void wovenModeRefusesMethodsThatAreNotWoven() {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> start(Woven.class, Stock.class).close())
			.withCauseInstanceOf(InvalidLockDefinitionException.class)
			.withMessageContaining("distributed-lock.advice-mode is 'aspectj', but ");
	}

	@Test
	void templateIsLookedUpAtTheFirstCall() {
		try (AnnotationConfigApplicationContext context = start(WithoutTemplate.class, Stock.class)) {
			Stock stock = context.getBean(Stock.class);
			assertThatExceptionOfType(NoSuchBeanDefinitionException.class).isThrownBy(() -> stock.deduct("a", 0))
				.withMessageContaining("io.distlock.LockTemplate");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Template {

		@Bean
		CloseableLockTemplate lockTemplate(ApplicationEventPublisher events) {
			return LockTemplateBuilder.forStore(new InMemoryLockStore())
				.observer(new LockEventPublisher(events))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	@Import(Template.class)
	static class Locks {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(mode = AdviceMode.ASPECTJ)
	@Import(Template.class)
	static class Woven {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	static class WithoutTemplate {

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku")
		public long deduct(String sku, @FencingToken long token) {
			LockContext.current().orElseThrow().ensureHeld();
			return token;
		}

		@DistributedLock(name = "stock", key = "#sku")
		public boolean isBusyWithin(LockTemplate template, String sku) {
			return TestThreads.isBusy(template, "stock:" + sku);
		}

		@DistributedLock(name = "brief", leaseTime = "5s")
		public void outliveTheLease() {
			Pause.atMost(TestThreads.LIMIT, () -> !LockContext.current().orElseThrow().isHeld());
		}

		public void sell(String sku) {
			deduct(sku, 0);
		}

	}

	static class Losses {

		volatile LockLoss last;

		@EventListener
		void on(LockLostEvent event) {
			this.last = event.loss();
		}

	}

}
