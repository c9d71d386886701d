package io.distlock.spring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.NestedExceptionUtils;

import io.distlock.DistributedLock;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Annotated objects that no creator of proxies sees are refused, each with its own fix.
 */
class BeanOriginTests {

	@Test
	void finishedSingletonIsRefused() {
		Throwable failure = NestedExceptionUtils
			.getMostSpecificCause(catchThrowable(() -> LockedApplication.of(Registering.class).close()));
		assertThat(failure).isInstanceOf(InvalidLockDefinitionException.class)
			.hasMessageStartingWith("Bean 'finished': @DistributedLock on BeanOriginTests.Work.work(): ");
		isOnThePage(failure);
	}

	@ParameterizedTest
	@ValueSource(classes = { Work.class, LazyWork.class, ScopedWork.class })
	void beanOfAChildContextWithoutTheLocksIsRefused(Class<?> type) {
		Throwable failure = NestedExceptionUtils.getMostSpecificCause(catchThrowable(() -> startChild(type)));
		assertThat(failure).isInstanceOf(InvalidLockDefinitionException.class)
			.hasMessageContaining("@DistributedLock on BeanOriginTests.Work.work(): ");
		isOnThePage(failure);
	}

	@Test
	void childContextWithTheLocksStarts() {
		startChild(Locks.class, LazyWork.class, ScopedWork.class, Work.class);
	}

	@Test
	void childContextWithoutAnnotatedBeansStarts() {
		startChild(Object.class);
	}

	private static void startChild(Class<?>... components) {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Locks.class);
				AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
			child.setParent(parent);
			child.register(components);
			child.refresh();
		}
	}

	private static void isOnThePage(Throwable failure) {
		DocPage.of("startup-messages.md").says(failure.getMessage().replaceFirst("^.*work\\(\\): ", ""));
	}

	static class Work {

		@DistributedLock(name = "x")
		public void work() {
		}

	}

	@Lazy
	static class LazyWork extends Work {

	}

	@Scope("prototype")
	static class ScopedWork extends Work {

	}

	@Configuration(proxyBeanMethods = false)
	static class Registering {

		@Bean
		static BeanFactoryPostProcessor registering() {
			return (beans) -> beans.registerSingleton("finished", new Work());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	static class Locks {

		@Bean
		LockTemplate lockTemplate() {
			return LockTemplateBuilder.forStore(new InMemoryLockStore()).build();
		}

	}

}
