package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Warns of annotated methods in the context of a test that has no locks: a slice of the
 * application, as {@code @WebMvcTest}, leaves them out, and a test that expects a busy
 * lock to be answered would pass or fail for the wrong reason. Spring's test framework
 * finds this class; applications never load it.
 */
final class UnlockedTestWarning implements ContextCustomizerFactory {

	private static final Logger logger = LoggerFactory.getLogger(UnlockedTestWarning.class);

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configurations) {
		return new Customizer();
	}

	/** A record, since contexts of tests with equal customizers are shared. */
	private record Customizer() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			ApplicationListener<ContextRefreshedEvent> listener = (event) -> warn(context);
			context.addApplicationListener(listener);
		}

	}

	private static void warn(ConfigurableApplicationContext context) {
		// Where locks are off on purpose, that is logged already.
		boolean on = context.getEnvironment().getProperty("distributed-lock.enabled", Boolean.class, true);
		if (!on || context.getBeanNamesForType(AnnotationSettings.class, true, false).length > 0) {
			return;
		}
		for (String name : context.getBeanDefinitionNames()) {
			Class<?> type = type(context, name);
			if (type != null && warn(type)) {
				return;
			}
		}
	}

	private static boolean warn(Class<?> type) {
		Optional<Method> annotated = annotated(type);
		annotated.ifPresent((method) -> logger
			.warn("{}: runs WITHOUT its lock in this test, as do all such methods: the context of the test "
					+ "has no distributed locks, as a slice of the application has none. To have them, add "
					+ "@ImportAutoConfiguration({ LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class }) "
					+ "and distributed-lock.store=memory; if none are wanted, set distributed-lock.enabled=false",
					new LockedMethodId(method, type).title()));
		return annotated.isPresent();
	}

	private static @Nullable Class<?> type(ConfigurableApplicationContext context, String name) {
		try {
			Class<?> target = AutoProxyUtils.determineTargetClass(context.getBeanFactory(), name);
			Class<?> type = (target != null) ? ClassUtils.getUserClass(target) : null;
			if (type == null || type.getName().startsWith("org.springframework.")
					|| type.getName().startsWith("java.")) {
				return null;
			}
			LockAnnotations.requireReadable(type);
			return LockAnnotations.isCandidate(type) ? type : null;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("Type of bean '{}' cannot be read", name, ex);
			return null;
		}
	}

	/** The first one by name: the JVM lists methods in no particular order. */
	private static Optional<Method> annotated(Class<?> type) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> LockAnnotations.find(method, type) != null)
			.min(Comparator.comparing(Method::getName));
	}

}
