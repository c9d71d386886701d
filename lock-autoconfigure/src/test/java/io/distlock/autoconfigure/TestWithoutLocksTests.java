package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

import io.distlock.DistributedLock;
import io.distlock.LockTemplate;
import io.distlock.spring.EnableDistributedLocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Tests of applications: a mock of the template, and a slice that leaves locks out. */
@ExtendWith(OutputCaptureExtension.class)
class TestWithoutLocksTests {

	@ParameterizedTest
	@ValueSource(strings = { "blocking", "future", "mono" })
	void mockOfTheTemplateIsNamed(String style) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, Mocked.class,
				"distributed-lock.self-invocation-check=false")) {
			Service service = context.getBean(Service.class);
			assertThatIllegalStateException().isThrownBy(() -> {
				switch (style) {
					case "blocking" -> service.blocking("a\nb");
					case "future" -> throw service.future("a\nb").handle((done, ex) -> (RuntimeException) ex).join();
					default -> service.mono("a\nb").block();
				}
			})
				.withMessageStartingWith("@DistributedLock on TestWithoutLocksTests.Service." + style + "(String): ")
				.withMessageEndingWith(
						" returned null instead of lock 'a\\nb', as a mock of LockTemplate does. In a test "
								+ "use distributed-lock.store=memory instead of a mock, or let the mock return a LockHandle");
		}
	}

	@Test
	void sliceWithoutLocksIsWarnedOf(CapturedOutput output) throws Exception {
		new TestContextManager(Slice.class).prepareTestInstance(new Slice());
		assertThat(output).containsOnlyOnce(
				"@DistributedLock on TestWithoutLocksTests.Service.blocking(String): runs WITHOUT its lock in this test")
			.contains(
					"@ImportAutoConfiguration({ LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class })");
	}

	@ParameterizedTest
	@ValueSource(classes = { Silent.class, Locked.class, Plain.class })
	void otherTestsAreNotWarnedOf(Class<?> test, CapturedOutput output) throws Exception {
		new TestContextManager(test).prepareTestInstance(test.getDeclaredConstructor().newInstance());
		assertThat(output).doesNotContain("runs WITHOUT its lock in this test");
	}

	@ContextConfiguration(classes = Service.class)
	static class Slice {

	}

	@ContextConfiguration(classes = Service.class)
	@TestPropertySource(properties = "distributed-lock.enabled=false")
	static class Silent {

	}

	@ContextConfiguration(classes = Enabled.class)
	static class Locked {

	}

	@ContextConfiguration(classes = String.class)
	static class Plain {

	}

	public static class Service {

		@DistributedLock(key = "#key")
		public void blocking(String key) {
		}

		@DistributedLock(key = "#key")
		public CompletableFuture<String> future(String key) {
			return CompletableFuture.completedFuture(key);
		}

		@DistributedLock(key = "#key")
		public Mono<String> mono(String key) {
			return Mono.just(key);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	@Import(Mocked.class)
	static class Enabled {

	}

	@Configuration(proxyBeanMethods = false)
	static class Mocked {

		@Bean
		LockTemplate mock() {
			return (LockTemplate) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { LockTemplate.class }, (proxy, method, arguments) -> null);
		}

		@Bean
		Service service() {
			return new Service();
		}

	}

}
