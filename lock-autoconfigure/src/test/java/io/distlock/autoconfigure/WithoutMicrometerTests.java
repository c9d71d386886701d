package io.distlock.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.LossReason;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application without Actuator has no Micrometer. Its observers are notified all the
 * same.
 */
class WithoutMicrometerTests {

	@Test
	void observersAreNotified() throws Exception {
		assertThat(run(NotifiedObserver.class)).isEqualTo("acquiring lost");
	}

	@Test
	void theLoaderOfThisTestHasNoMicrometer() {
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> Class.forName(LockMeters.class.getName(), true, new WithoutMicrometer()));
	}

	private static Object run(Class<? extends Supplier<String>> scenario) throws Exception {
		Class<?> type = new WithoutMicrometer().loadClass(scenario.getName());
		return ((Supplier<?>) BeanUtils.instantiateClass(type)).get();
	}

	/** Loads the classes of this library anew, and none of Micrometer. */
	private static final class WithoutMicrometer extends ClassLoader {

		WithoutMicrometer() {
			super(WithoutMicrometerTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.startsWith("io.micrometer.core.")) {
				throw new ClassNotFoundException(name);
			}
			Class<?> loaded = findLoadedClass(name);
			if (loaded != null || !name.startsWith("io.distlock.")) {
				return (loaded != null) ? loaded : super.loadClass(name, resolve);
			}
			try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] code = file.readAllBytes();
				return defineClass(name, code, 0, code.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

	static class NotifiedObserver implements Supplier<String>, LockObserver {

		private final List<String> notified = new ArrayList<>();

		@Override
		public String get() {
			LockObservers observers = new LockObservers(beans(this).getBeanProvider(LockObserver.class));
			observers.afterSingletonsInstantiated();
			observers.acquiring("default", LockRequest.of("key"));
			observers.lost(new LockLoss("default", "", "key", 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH,
					Duration.ZERO, "main", "", LossReason.EXPIRED));
			return String.join(" ", this.notified);
		}

		@Override
		public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
			this.notified.add("acquiring");
			return null;
		}

		@Override
		public void lost(LockLoss loss) {
			this.notified.add("lost");
		}

	}

	private static StaticListableBeanFactory beans(Object bean) {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("bean", bean);
		return beans;
	}

}
