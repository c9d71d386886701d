package io.distlock.ways;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.ways.Declarations.OnMethod;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** What a test does with an annotated bean, with and without the support for tests. */
public final class TestedWays {

	private TestedWays() {
	}

	static Stream<Way> ways() {
		return Stream.of(way("is replaced by `@MockitoBean`").replaced().runs(test(WithMock::new)),
				way("is replaced by `@MockitoBean`, `@AutoConfigureDistributedLocks`").replaced()
					.runs(test(WithMockAndTester::new)),
				way("is replaced by `@TestBean`").replaced().runs(test(WithTestBean::new)),
				way("is replaced by `@TestBean`, `@AutoConfigureDistributedLocks`").replaced()
					.runs(test(WithTestBeanAndTester::new)),
				way("is behind `@MockitoSpyBean`").runs(test(WithSpy::new)),
				way("is behind `@MockitoSpyBean`, `@AutoConfigureDistributedLocks`").runs(test(WithSpyAndTester::new)),
				way("is a `@Primary` bean of a test").runs(test(WithPrimary::new)),
				way("is a `@Primary` mock of a test").runs(test(WithPrimaryMock::new)));
	}

	private static Way.Builder way(String text) {
		return Way.of(Way.MADE, text);
	}

	/** Runs a test as a runner of tests does, in a context of its own. */
	public static Callable<?> test(Supplier<? extends TestOfWork> made) {
		return () -> {
			TestOfWork test = made.get();
			TestContextManager manager = new TestContextManager(test.getClass());
			try {
				manager.beforeTestClass();
				manager.prepareTestInstance(test);
				test.run();
			}
			catch (IllegalStateException ex) {
				// Of the context, whose cause tells more.
				throw (ex.getCause() instanceof Exception cause) ? cause : ex;
			}
			finally {
				manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
				manager.afterTestClass();
			}
			return null;
		};
	}

	/** A test of an annotated bean. */
	@SpringBootTest(classes = { LockedApp.class, OnMethod.class }, webEnvironment = WebEnvironment.NONE)
	public abstract static class TestOfWork {

		protected abstract void run();

	}

	static class WithMock extends TestOfWork {

		@MockitoBean
		private OnMethod work;

		@Override
		protected void run() {
			given(this.work.work()).willAnswer((call) -> Witness.work());
			this.work.work();
		}

	}

	@AutoConfigureDistributedLocks(store = AutoConfigureDistributedLocks.Store.CONFIGURED)
	static class WithMockAndTester extends WithMock {

	}

	static class WithTestBean extends TestOfWork {

		@TestBean
		private OnMethod work;

		static OnMethod work() {
			return new OnMethod();
		}

		@Override
		protected void run() {
			this.work.work();
		}

	}

	@AutoConfigureDistributedLocks(store = AutoConfigureDistributedLocks.Store.CONFIGURED)
	static class WithTestBeanAndTester extends WithTestBean {

	}

	static class WithSpy extends TestOfWork {

		@MockitoSpyBean
		private OnMethod work;

		@Override
		protected void run() {
			this.work.work();
		}

	}

	@AutoConfigureDistributedLocks(store = AutoConfigureDistributedLocks.Store.CONFIGURED)
	static class WithSpyAndTester extends WithSpy {

	}

	static class WithPrimary extends TestOfWork {

		@Autowired
		private OnMethod work;

		@Override
		protected void run() {
			this.work.work();
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Beans {

			@Bean
			@Primary
			OnMethod testWork() {
				return new OnMethod();
			}

		}

	}

	static class WithPrimaryMock extends TestOfWork {

		@Autowired
		private OnMethod work;

		@Override
		protected void run() {
			this.work.work();
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Beans {

			@Bean
			@Primary
			OnMethod testWork() {
				OnMethod mock = mock();
				given(mock.work()).willAnswer((call) -> Witness.work());
				return mock;
			}

		}

	}

}
