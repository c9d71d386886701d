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
@Import(TransactionRegistrar.class)
public class DistributedLockConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockAdvisor distributedLockAdvisor(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<LockTemplate> template, AnnotationSettings settings) {
		Invokers invokers = new Invokers(new LockedMethods(beanFactory, settings.locks()), beanFactory,
				settings.onStoreFailure());
		LockAdvisor advisor = new LockAdvisor(invokers, SingletonSupplier.of(template::getObject), settings.mode());
		advisor.setOrder(settings.order());
		return advisor;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockedBeanValidator distributedLockValidator(ConfigurableListableBeanFactory beanFactory,
			LockAdvisor advisor, AnnotationSettings settings, ObjectProvider<LockSettings> defaults,
			ObjectProvider<LockStore> store, ObjectProvider<LockStores> stores, ObjectProvider<LockTemplate> template,
			ObjectProvider<LockTemplates> templates) {
		StartupReport report = new StartupReport(() -> defaults.getIfAvailable(() -> LockSettings.DEFAULTS),
				() -> describe(stores(store, stores), template, templates));
		return new LockedBeanValidator(beanFactory, advisor.invokers(), settings.mode(),
				new StartupChecks(new SelfInvocationCheck(settings), new AdviceOrderCheck(beanFactory),
						new StoreLimitCheck(() -> stores(store, stores)), report));
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
