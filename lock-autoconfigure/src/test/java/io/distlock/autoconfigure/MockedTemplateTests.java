package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.DistributedLock;
import io.distlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Tests of applications that mock the template. */
class MockedTemplateTests {

	@ParameterizedTest
	@ValueSource(strings = { "blocking", "future", "mono" })
	void mockOfTheTemplateIsNamed(String style) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, Mocked.class,
				"logging.level.io.distlock.spring.startup.SelfInvocationCheck=off")) {
			Service service = context.getBean(Service.class);
			assertThatIllegalStateException().isThrownBy(() -> {
				switch (style) {
					case "blocking" -> service.blocking("a\nb");
					case "future" -> throw service.future("a\nb").handle((done, ex) -> (RuntimeException) ex).join();
					default -> service.mono("a\nb").block();
				}
			})
				.withMessageStartingWith("@DistributedLock on MockedTemplateTests.Service." + style + "(String): ")
				.withMessageEndingWith(
						" returned null instead of lock 'a\\nb', as a mock of LockTemplate does. In a test "
								+ "use @AutoConfigureDistributedLocks instead of a mock, or let the mock return a LockHandle");
		}
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
