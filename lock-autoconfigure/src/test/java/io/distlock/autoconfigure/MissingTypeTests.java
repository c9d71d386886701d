package io.distlock.autoconfigure;

import java.io.IOException;
import java.io.InputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Beans that are not created at startup, with methods that mention a missing class. */
class MissingTypeTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withPropertyValues("distributed-lock.store=memory");

	@ParameterizedTest
	@ValueSource(classes = { Broken.class, Extending.class, Implementing.class })
	void applicationWithALazyBeanStarts(Class<?> type) {
		this.runner.withInitializer((context) -> register(context, type, true, BeanDefinition.SCOPE_SINGLETON))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatException().isThrownBy(() -> context.getBean("broken"));
			});
	}

	@Test
	void applicationWithAPrototypeStarts() {
		this.runner.withInitializer((context) -> register(context, Broken.class, false, BeanDefinition.SCOPE_PROTOTYPE))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatException().isThrownBy(() -> context.getBean("broken"));
			});
	}

	private static void register(ConfigurableApplicationContext context, Class<?> type, boolean lazy, String scope) {
		AbstractBeanDefinition definition = BeanDefinitionBuilder.rootBeanDefinition(Incomplete.load(type))
			.setLazyInit(lazy)
			.setScope(scope)
			.getBeanDefinition();
		((GenericApplicationContext) context).registerBeanDefinition("broken", definition);
	}

	/** Loads the classes of this test again, all but one. */
	static final class Incomplete extends ClassLoader {

		private Incomplete() {
			super(MissingTypeTests.class.getClassLoader());
		}

		static Class<?> load(Class<?> type) {
			try {
				return Class.forName(type.getName(), false, new Incomplete());
			}
			catch (ClassNotFoundException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.equals(Absent.class.getName())) {
				throw new ClassNotFoundException(name);
			}
			if (!name.startsWith(MissingTypeTests.class.getName())) {
				return super.loadClass(name, resolve);
			}
			Class<?> known = findLoadedClass(name);
			return (known != null) ? known : define(name);
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = in.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

	public static class Absent {

	}

	public static class Broken {

		public Absent absent() {
			return new Absent();
		}

	}

	public static class Extending extends Broken {

	}

	public interface Mentions {

		default Absent absent() {
			return new Absent();
		}

	}

	public static class Implementing implements Mentions {

	}

}
