package io.distlock.spring;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ReflectionUtils;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** What a thread dump shows of a call, and how deep it is. */
class CallPathTests {

	private static final int MOST_FRAMES_TO_THE_STORE = 14;

	private static final AtomicReference<List<String>> TO_STORE = new AtomicReference<>();

	@Test
	void callWhenItAcquires() {
		call();
		assertThat(TO_STORE.get()).hasSizeLessThanOrEqualTo(MOST_FRAMES_TO_THE_STORE);
		assertThat(ofInterception(TO_STORE.get())).containsExactly("LockedCall.acquire", "BlockingStyle.run",
				"LockInterceptor.invoke");
	}

	@Test
	void callWhenTheBodyRuns() {
		assertThat(ofInterception(call())).containsExactly("LockedCall.proceedBody", "LockedCall.proceed",
				"BlockingStyle.proceed", "BlockingStyle.run", "LockInterceptor.invoke");
	}

	private static List<String> call() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Locks.class,
				Stock.class)) {
			return context.getBean(Stock.class).sell();
		}
	}

	/** Those of the library, from the innermost to the interceptor. */
	private static List<String> ownFrames() {
		Predicate<String> ofTest = (frame) -> frame.startsWith(CallPathTests.class.getName());
		return Arrays.stream(new Throwable().getStackTrace())
			.map((frame) -> frame.getClassName() + "." + frame.getMethodName())
			.filter((frame) -> frame.startsWith("io.distlock."))
			.filter(ofTest.negate())
			.toList();
	}

	private static List<String> ofInterception(List<String> frames) {
		String prefix = "io.distlock.spring.intercept.";
		return frames.stream()
			.filter((frame) -> frame.startsWith(prefix))
			.map((frame) -> frame.substring(prefix.length()))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	static class Locks {

		@Bean
		CloseableLockTemplate template() {
			LockStore store = new InMemoryLockStore();
			return LockTemplateBuilder.forStore((LockStore) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { LockStore.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("acquire")) {
							TO_STORE.set(ownFrames());
						}
						return ReflectionUtils.invokeMethod(method, store, arguments);
					}))
				.build();
		}

	}

	static class Stock {

		@DistributedLock(name = "stock")
		public List<String> sell() {
			return ownFrames();
		}

	}

}
