package io.distlock.boot.test;

import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockLostException;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.boot.test.AutoConfigureDistributedLocks.Store;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The application contexts of annotated tests, and what the tester does in each. */
class LocksContextTests {

	@Test
	void contextWhenSameValuesThenIsShared() {
		ApplicationContext context = context(Annotated.class);
		assertThat(context(AnnotatedTheSame.class)).isSameAs(context);
		assertThat(context(OtherWaitTime.class)).isNotSameAs(context);
		assertThat(context(OtherStore.class)).isNotSameAs(context);
		assertThat(context(OtherWaitTime.class).getBean(LockSettings.class).waitLimit().orElseThrow().time())
			.hasSeconds(60);
	}

	@Test
	void waitTimeWhenNoDurationThenSaysSo() {
		for (Class<?> test : new Class<?>[] { WithoutUnit.class, Negative.class }) {
			assertThatIllegalArgumentException().isThrownBy(() -> context(test))
				.withMessageContaining("The waitTime of @AutoConfigureDistributedLocks is '")
				.withMessageContaining("must be a duration with a unit");
		}
	}

	@Test
	void contextWithoutAnnotationThenIsLeftAlone() {
		assertThat(context(NotAnnotated.class).containsBean("lockTester")).isFalse();
	}

	@Test
	void propertyOfTestThenWinsOverAnnotation() {
		assertThat(context(WithProperty.class).getBean(LockStore.class).describe()).contains("from the test");
	}

	/** Spring Framework 7 stops contexts that no test uses at the moment. */
	@Test
	void contextWhenStartedAgainThenTesterWorks() {
		ConfigurableApplicationContext context = (ConfigurableApplicationContext) context(StartedAgain.class);
		context.stop();
		context.start();
		Jobs jobs = context.getBean(Jobs.class);
		during(context, (locks) -> {
			assertThat(jobs.nightly("a")).isTrue();
			locks.storeFails();
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> jobs.run("a"));
		});
		assertThat(jobs.nightly("a")).isTrue();
	}

	/** The configuration names stores that this test could not have. */
	@Test
	void memoryWhenSeveralStoresThenAllAreInMemoryAndMayFail() {
		ApplicationContext context = context(SeveralStores.class);
		assertThat(context.getBean(LockTemplates.class).places().values())
			.allSatisfy((place) -> assertThat(place).containsIgnoringCase("memory"));
		during(context, (locks) -> {
			locks.storeFails();
			Jobs jobs = context.getBean(Jobs.class);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> jobs.run("a"));
			locks.storeHeals();
			locks.busy("job:a");
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> jobs.run("a"));
			assertThat(jobs.nightly("a")).isTrue();
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> jobs.runWithin("b", () -> locks.lose("job:b")));
		});
		assertThat(context.getBean(Jobs.class).nightly("a")).isTrue();
	}

	@Test
	void ownStoreThenStaysAndMayFail() {
		ApplicationContext context = context(WithOwnStore.class);
		assertThat(context.getBean(LockStore.class)).isExactlyInstanceOf(InMemoryLockStore.class);
		during(context, (locks) -> {
			locks.storeFails();
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> context.getBean(Jobs.class).run("a"));
		});
	}

	@Test
	void ownTemplateThenMayBeBusyButItsStoreCannotFail() {
		ApplicationContext context = context(WithOwnTemplate.class);
		during(context, (locks) -> {
			locks.busy("job:a");
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> context.getBean(LockTemplate.class).run("job:a", (lock) -> {
				}));
			assertThatIllegalStateException().isThrownBy(locks::storeFails)
				.withMessageStartingWith("The store cannot fail on demand");
			assertThatIllegalStateException().isThrownBy(() -> assertThat(locks).neverAcquired("job:a"))
				.withMessageStartingWith("Nothing is known about locks");
			assertThatIllegalStateException().isThrownBy(() -> assertThat(locks).nothingHeld());
		});
	}

	@Test
	void ownTemplateWithObserverThenAssertionsKnowThatNothingHappened() {
		during(context(WithObservedTemplate.class), (locks) -> assertThat(locks).neverAcquired("job:a").nothingHeld());
	}

	/** As in a pool whose thread runs another test of the same class while one waits. */
	@Test
	void testWithinAnotherOfTheSameClassThenBothEnd() throws Exception {
		TestContextManager tests = new TestContextManager(Annotated.class);
		for (int i = 0; i < 2; i++) {
			tests.beforeTestMethod(new Annotated(), Object.class.getMethod("toString"));
		}
		for (int i = 0; i < 2; i++) {
			tests.afterTestMethod(new Annotated(), Object.class.getMethod("toString"), null);
		}
		LockTester locks = tests.getTestContext().getApplicationContext().getBean(LockTester.class);
		assertThatIllegalStateException().isThrownBy(() -> locks.busy("job:a")).withMessageStartingWith("No test runs");
	}

	@Test
	void noTemplateThenSaysSo() {
		for (Class<?> test : new Class<?>[] { WithMockedTemplate.class, WithMockedCloseableTemplate.class,
				SwitchedOff.class }) {
			during(context(test), (locks) -> {
				assertThatIllegalStateException().isThrownBy(() -> locks.busy("job:a"))
					.withMessageStartingWith("LockTester needs the LockTemplate of the auto-configuration");
				assertThatIllegalStateException().isThrownBy(() -> locks.lose("job:a"));
				assertThatIllegalStateException().isThrownBy(locks::storeHangs);
				assertThatIllegalStateException().isThrownBy(() -> assertThat(locks).neverAcquired("job:a"));
			});
		}
	}

	private static ApplicationContext context(Class<?> test) {
		return new TestContextManager(test).getTestContext().getApplicationContext();
	}

	private static void during(ApplicationContext context, Consumer<LockTester> test) {
		TestedLocks tested = context.getBean(TestedLocks.class);
		TestRun run = tested.begin();
		test.accept(context.getBean(LockTester.class));
		tested.end(run);
	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	static class Annotated {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks(waitTime = "200ms", store = Store.MEMORY)
	static class AnnotatedTheSame {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks(waitTime = "1m")
	static class OtherWaitTime {

	}

	@SpringBootTest(classes = { Application.class, OwnStore.class }, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks(store = Store.CONFIGURED)
	static class OtherStore {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks(waitTime = "0")
	static class StartedAgain {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks(waitTime = "5")
	static class WithoutUnit {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks(waitTime = "-5s")
	static class Negative {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	static class NotAnnotated {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	@Import(TestStoreFactory.class)
	@TestPropertySource(properties = "distributed-lock.store=test-store")
	static class WithProperty {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE,
			properties = "spring.config.name=several-stores")
	@AutoConfigureDistributedLocks
	static class SeveralStores {

	}

	@SpringBootTest(classes = { Application.class, OwnStore.class }, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	static class WithOwnStore {

	}

	@SpringBootTest(classes = { Application.class, OwnTemplate.class }, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	static class WithOwnTemplate {

	}

	@SpringBootTest(classes = { Application.class, ObservedTemplate.class }, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	static class WithObservedTemplate {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	static class WithMockedTemplate {

		@MockitoBean
		LockTemplate template;

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureDistributedLocks
	static class WithMockedCloseableTemplate {

		@MockitoBean
		CloseableLockTemplate template;

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE,
			properties = "distributed-lock.enabled=false")
	@AutoConfigureDistributedLocks
	static class SwitchedOff {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnStore {

		@Bean
		InMemoryLockStore ownStore() {
			return new InMemoryLockStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnTemplate {

		@Bean
		CloseableLockTemplate ownTemplate() {
			return LockTemplateBuilder.forStore(new InMemoryLockStore()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ObservedTemplate {

		@Bean
		CloseableLockTemplate observedTemplate(LockObserver observer) {
			return LockTemplateBuilder.forStore(new InMemoryLockStore()).observer(observer).build();
		}

	}

	static class TestStoreFactory implements LockStoreFactory {

		@Override
		public String type() {
			return "test-store";
		}

		@Override
		public CreatedStore create(Definition definition) {
			return new CreatedStore(new DelegatingLockStore(new InMemoryLockStore()) {
				@Override
				public String describe() {
					return "from the test";
				}
			});
		}

	}

}
