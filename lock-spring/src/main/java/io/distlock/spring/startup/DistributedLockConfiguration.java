package io.distlock.spring.startup;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.spi.LockStore;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.intercept.Invokers;
import io.distlock.spring.intercept.LockAdvisor;
import io.distlock.stores.LockTemplates;
import io.distlock.support.ForeignText;

/**
 * Declares the beans that run annotated methods under their lock, with and without Spring
 * Boot. It needs an {@link AnnotationSettings} bean. The advisor exists before most
 * beans, so it looks up the template at the first call.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(TransactionConfigurations.class)
public class DistributedLockConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockedMethods distributedLockMethods(ConfigurableListableBeanFactory beanFactory,
			AnnotationSettings settings) {
		return new LockedMethods(beanFactory, settings.locks());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static Invokers distributedLockInvokers(ConfigurableListableBeanFactory beanFactory, LockedMethods methods,
			AnnotationSettings settings) {
		return new Invokers(methods, beanFactory, settings.onStoreFailure());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockAdvisor distributedLockAdvisor(Invokers invokers, ObjectProvider<LockTemplate> template,
			AnnotationSettings settings) {
		LockAdvisor advisor = new LockAdvisor(invokers, SingletonSupplier.of(template::getObject), settings.mode());
		advisor.setOrder(settings.order());
		return advisor;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockedBeanValidator distributedLockValidator(ConfigurableListableBeanFactory beanFactory, Invokers invokers,
			AnnotationSettings settings) {
		return new LockedBeanValidator(beanFactory, invokers, settings.mode());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static SelfInvocationCheck distributedLockSelfInvocationCheck(LockedBeanValidator validator,
			AnnotationSettings settings) {
		return new SelfInvocationCheck(validator, settings);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AdviceOrderCheck distributedLockAdviceOrderCheck(ConfigurableListableBeanFactory beanFactory,
			LockedBeanValidator validator) {
		return new AdviceOrderCheck(beanFactory, validator);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static StoreLimitCheck distributedLockStoreLimitCheck(LockedBeanValidator validator,
			ObjectProvider<LockStore> store, ObjectProvider<LockStores> stores) {
		return new StoreLimitCheck(validator, stores(store, stores));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static StartupReport distributedLockStartupReport(LockedBeanValidator validator,
			ObjectProvider<LockSettings> defaults, ObjectProvider<LockStore> store, ObjectProvider<LockStores> stores,
			ObjectProvider<LockTemplate> template, ObjectProvider<LockTemplates> templates) {
		return new StartupReport(validator, () -> defaults.getIfAvailable(() -> LockSettings.DEFAULTS),
				() -> describe(stores(store, stores), template, templates));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockDefinitions distributedLockDefinitions(LockedBeanValidator validator,
			ObjectProvider<LockSettings> defaults) {
		return new LockDefinitions(validator, () -> defaults.getIfAvailable(() -> LockSettings.DEFAULTS));
	}

	/**
	 * Returns the stores for descriptions. A store that only Spring Boot knows is not
	 * created only for a description.
	 */
	private static LockStores stores(ObjectProvider<LockStore> store, ObjectProvider<LockStores> stores) {
		return stores.getIfUnique(() -> (name) -> store.stream().findFirst().map(List::of).orElse(List.of()));
	}

	private static String describe(LockStores stores, ObjectProvider<LockTemplate> templates,
			ObjectProvider<LockTemplates> severalTemplates) {
		LockTemplates several = severalTemplates.getIfUnique();
		String described = (several != null) ? describe(several.places())
				: stores.of("")
					.stream()
					.findFirst()
					.map(LockStore::describe)
					.orElse("a template of the application's own");
		return (templates.getIfUnique() instanceof CloseableLockTemplate template)
				? described + ", instance " + template.instance() : described;
	}

	private static String describe(Map<String, String> places) {
		return (places.size() == 1) ? places.values().iterator().next()
				: places.entrySet()
					.stream()
					.map((place) -> ForeignText.of(place.getKey()) + " = " + place.getValue())
					.collect(Collectors.joining(", "));
	}

}
