package io.distlock.spring;

import java.util.Optional;
import java.util.stream.Stream;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.NestedExceptionUtils;

import io.distlock.DistributedLock;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Methods that Spring calls on the object itself cannot be locked. The application does
 * not start, and none of them has run.
 */
class LifecycleCallbackTests {

	private static final String BEFORE = " is called by Spring before the bean has its proxy, so it would run without the lock. "
			+ "Do the work in an ApplicationRunner or a listener of ApplicationReadyEvent, or take the lock in its body with "
			+ "LockTemplate. If the annotation is on the class, put it on the methods that need the lock";

	private static final String BEHIND = " is called by Spring on the object behind the proxy, so it would run without the lock. "
			+ "Do the work in a listener of ContextClosedEvent. If the annotation is on the class, put it on the methods that "
			+ "need the lock";

	private static int runs;

	@ParameterizedTest
	@MethodSource
	void isRefusedBeforeItRuns(Class<?> type, String text) {
		runs = 0;
		Throwable failure = NestedExceptionUtils
			.getMostSpecificCause(catchThrowable(() -> LockedApplication.of(type).close()));
		assertThat(failure).isInstanceOf(InvalidLockDefinitionException.class).hasMessageEndingWith("(): " + text);
		assertThat(runs).isZero();
	}

	static Stream<Arguments> isRefusedBeforeItRuns() {
		return Stream.of(arguments(Constructed.class, "a @PostConstruct method" + BEFORE),
				arguments(LazyConstructed.class, "a @PostConstruct method" + BEFORE),
				arguments(ScopedConstructed.class, "a @PostConstruct method" + BEFORE),
				arguments(ConstructedHeir.class, "a @PostConstruct method" + BEFORE),
				arguments(ConstructedClass.class, "a @PostConstruct method" + BEFORE),
				arguments(Initializing.class, "afterPropertiesSet()" + BEFORE),
				arguments(WithInitMethod.class, "the initMethod of a bean" + BEFORE),
				arguments(Injected.class, "an @Autowired method" + BEFORE),
				arguments(Destroyed.class, "a @PreDestroy method" + BEHIND),
				arguments(Disposable.class, "destroy()" + BEHIND),
				arguments(WithDestroyMethod.class, "the destroyMethod of a bean" + BEHIND),
				arguments(WithClose.class, "the destroyMethod of a bean" + BEHIND),
				arguments(Closeable.class, "the destroyMethod of a bean" + BEHIND));
	}

	@Test
	void isOnThePage() {
		DocPage page = DocPage.of("startup-messages.md");
		isRefusedBeforeItRuns().map((each) -> (String) each.get()[1]).forEach(page::says);
		page.says("a method of an Aware interface" + BEFORE);
	}

	@Test
	void isReportedTogetherWithOtherMistakes() {
		Throwable failure = NestedExceptionUtils
			.getMostSpecificCause(catchThrowable(() -> LockedApplication.of(Constructed.class, Wrong.class).close()));
		assertThat(((InvalidLockDefinitionException) failure).all()).extracting(InvalidLockDefinitionException::method)
			.containsExactly("LifecycleCallbackTests.Constructed.work()", "LifecycleCallbackTests.Wrong.work()");
	}

	/** Nobody but a caller calls these, or the annotation does not mean them. */
	@ParameterizedTest
	@ValueSource(
			classes = { ClosedByCaller.class, WithoutDestroyMethod.class, WithSetters.class, CloseOfAnother.class })
	void acceptsWhatSpringDoesNotCall(Class<?> type) {
		LockedApplication.of(type).close();
	}

	static class Constructed {

		@PostConstruct
		@DistributedLock(name = "x")
		public void work() {
			runs++;
		}

	}

	@Lazy
	static class LazyConstructed extends Constructed {

	}

	@Scope("prototype")
	static class ScopedConstructed extends Constructed {

	}

	static class Plain {

		@PostConstruct
		public void work() {
			runs++;
		}

	}

	static class ConstructedHeir extends Plain {

		@Override
		@DistributedLock(name = "x")
		public void work() {
			runs++;
		}

	}

	@DistributedLock(name = "x")
	static class ConstructedClass {

		@PostConstruct
		public void work() {
			runs++;
		}

	}

	static class Initializing implements InitializingBean {

		@Override
		@DistributedLock(name = "x")
		public void afterPropertiesSet() {
			runs++;
		}

	}

	static class Work {

		@DistributedLock(name = "x")
		public void work() {
			runs++;
		}

		@DistributedLock(name = "y")
		public void close() {
			runs++;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithInitMethod {

		@Bean(initMethod = "work", destroyMethod = "")
		Work bean() {
			return new Work();
		}

	}

	static class Injected {

		@Autowired(required = false)
		@DistributedLock(name = "x")
		public void work() {
			runs++;
		}

	}

	static class Destroyed {

		@PreDestroy
		@DistributedLock(name = "x")
		public void work() {
			runs++;
		}

	}

	static class Disposable implements DisposableBean {

		@Override
		@DistributedLock(name = "x")
		public void destroy() {
			runs++;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithDestroyMethod {

		@Bean(destroyMethod = "work")
		Work bean() {
			return new Work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithClose {

		@Bean
		Work bean() {
			return new Work();
		}

	}

	static class Closeable implements AutoCloseable {

		@Override
		@DistributedLock(name = "x")
		public void close() {
			runs++;
		}

	}

	static class Wrong {

		@DistributedLock(name = "y", waitTime = "soon")
		public void work() {
		}

	}

	@Scope("prototype")
	static class ClosedByCaller extends Closeable {

	}

	@Configuration(proxyBeanMethods = false)
	static class WithoutDestroyMethod {

		@Bean(destroyMethod = "")
		Work bean() {
			return new Work();
		}

	}

	/** An annotation on a class means what callers call. */
	@DistributedLock(name = "x")
	static class WithSetters implements BeanNameAware {

		@Override
		public void setBeanName(String name) {
		}

		@Autowired
		public void setOthers(Optional<Runnable> other) {
		}

	}

	static class CloseOfAnother implements DisposableBean {

		@DistributedLock(name = "x")
		public void close() {
		}

		@Override
		public void destroy() {
		}

	}

}
