package io.distlock.boot.test;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/** All ways in which JUnit and Spring pass the tester. */
@SpringJUnitConfig(InjectedTesterTests.Application.class)
@AutoConfigureDistributedLocks
class InjectedTesterTests {

	private final LockTester locks;

	private final Jobs jobs;

	@Autowired
	InjectedTesterTests(LockTester locks, Jobs jobs) {
		this.locks = locks;
		this.jobs = jobs;
	}

	@BeforeEach
	void before(LockTester locks) {
		this.jobs.run("before");
		assertThat(locks).isNotNull();
	}

	/** Twice, so that the second run must not see the first one. */
	@RepeatedTest(2)
	void parameterThenIsTheBean(LockTester plain, @Autowired LockTester autowired) {
		assertThat((Object) plain).isSameAs(this.locks).isSameAs(autowired);
		assertThat(this.jobs.nightly("a")).isTrue();
		assertThat(plain).acquired("job:before").once().before("nightly:a").once();
	}

	@RepeatedTest(2)
	@DirtiesContext
	void contextWhenDirtyThenNextOneHasATesterToo(LockTester locks) {
		locks.busy("job:a");
		assertThat(this.jobs.nightly("a")).isTrue();
		assertThat(locks).acquired("nightly:a").once();
	}

	@Nested
	class WithinAnother {

		@Test
		void nestedTestThenHasTheTester(LockTester locks) {
			assertThat(InjectedTesterTests.this.jobs.run("a")).isEqualTo("job:a");
			assertThat(locks).acquired("job:before").once().before("job:a");
		}

	}

	@Nested
	@TestPropertySource(properties = "other=context")
	class WithContextOfItsOwn {

		@Autowired
		private Jobs inner;

		@Test
		void nestedTestThenHasTheTesterOfItsContext(LockTester locks) {
			locks.busy("job:b");
			assertThat(this.inner.run("a")).isEqualTo("job:a");
			assertThat(locks).acquired("job:a").once();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

}
