package io.distlock.boot.test;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

import io.distlock.autoconfigure.LockSettingsBuilderCustomizer;

/** Sets up the application context of an annotated test. */
final class LocksContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureDistributedLocks found = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureDistributedLocks.class);
		return (found == null) ? null : new LocksCustomizer(duration(found.waitTime()), found.store());
	}

	/** A number alone may mean seconds to who writes it, as everywhere else. */
	private static Duration duration(String waitTime) {
		if (!waitTime.matches("0|\\d+[a-z]+|P.+")) {
			throw new IllegalArgumentException("The waitTime of @AutoConfigureDistributedLocks is '" + waitTime
					+ "', but must be a duration with a unit such as 200ms, or 0 for a single attempt");
		}
		return DurationStyle.detectAndParse(waitTime);
	}

	/**
	 * What the annotation says. As a record it is equal to another with the same values,
	 * and so is their application context.
	 *
	 * @param waitTime limits the wait
	 * @param store where the locks are
	 */
	private record LocksCustomizer(Duration waitTime,
			AutoConfigureDistributedLocks.Store store) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
			BeanDefinitionRegistry beans = (BeanDefinitionRegistry) context.getBeanFactory();
			beans.registerBeanDefinition("testedLocks", new RootBeanDefinition(TestedLocks.class));
			beans.registerBeanDefinition("lockTester", new RootBeanDefinition(LockTester.class));
			LockSettingsBuilderCustomizer limit = (settings) -> settings.limitWait(this.waitTime,
					"the waitTime of @AutoConfigureDistributedLocks");
			context.getBeanFactory().registerSingleton("lockTestWaitTime", limit);
			if (this.store == AutoConfigureDistributedLocks.Store.MEMORY) {
				addBelowPropertiesOfTest(context.getEnvironment());
			}
		}

		private static void addBelowPropertiesOfTest(ConfigurableEnvironment environment) {
			MutablePropertySources sources = environment.getPropertySources();
			MapPropertySource ours = new MapPropertySource("@AutoConfigureDistributedLocks", inMemory(environment));
			if (sources.contains(TestPropertySourceUtils.INLINED_PROPERTIES_PROPERTY_SOURCE_NAME)) {
				sources.addAfter(TestPropertySourceUtils.INLINED_PROPERTIES_PROPERTY_SOURCE_NAME, ours);
			}
			else {
				sources.addFirst(ours);
			}
		}

		private static Map<String, Object> inMemory(ConfigurableEnvironment environment) {
			Map<String, Object> properties = new HashMap<>();
			properties.put("distributed-lock.store", "memory");
			Binder.get(environment)
				.bind("distributed-lock.stores", Bindable.mapOf(String.class, Object.class))
				.ifBound((stores) -> stores.keySet()
					.forEach((id) -> properties.put("distributed-lock.stores[" + id + "].type", "memory")));
			// It asks the database of the locks, which there is none.
			if (environment.containsProperty("distributed-lock.jdbc.commit-check")) {
				properties.put("distributed-lock.jdbc.commit-check", "false");
			}
			return properties;
		}

	}

}
