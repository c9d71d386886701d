package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ReflectionUtils;

import io.distlock.DistributedLock;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** How many frames of the library a locked call adds to a thread dump. */
class CallDepthTests {

	private static final int MOST_FRAMES_TO_THE_STORE = 15;

	private static final AtomicReference<List<String>> TO_STORE = new AtomicReference<>(List.of());

	@Test
	void callToTheStoreIsShort() {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withUserConfiguration(Locks.class, Stock.class)
			.run((context) -> {
				context.getBean(Stock.class).sell();
				assertThat(TO_STORE.get()).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_FRAMES_TO_THE_STORE);
			});
	}

	private static List<String> ownFrames() {
		return Arrays.stream(new Throwable().getStackTrace())
			.map((frame) -> frame.getClassName() + "." + frame.getMethodName())
			.filter((frame) -> frame.startsWith("io.distlock.") && !frame.startsWith(CallDepthTests.class.getName()))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class Locks {

		@Bean
		LockStore store() {
			LockStore store = new InMemoryLockStore();
			return (LockStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockStore.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("acquire")) {
							TO_STORE.set(ownFrames());
						}
						return ReflectionUtils.invokeMethod(method, store, arguments);
					});
		}

	}

	static class Stock {

		@DistributedLock(name = "stock")
		public void sell() {
		}

	}

}
