package io.distlock.autoconfigure;

import java.util.function.UnaryOperator;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.observe.LockObserver;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockStore;
import io.distlock.spring.event.LockEventPublisher;
import io.distlock.spring.reactive.ReactiveLockTemplate;
import io.distlock.stores.LockTemplates;

/** Auto-configuration of the lock templates. */
@AutoConfiguration
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(LockProperties.class)
@RegisterReflectionForBinding(LockProperties.class)
public final class LockAutoConfiguration {

	/**
	 * Refuses properties that a settings bean of the application hides. It is declared
	 * before {@link #lockSettings}, so that it finds only a bean of the application.
	 * Settings of a parent context may come from the same properties.
	 */
	@Bean
	@ConditionalOnBean(value = LockSettings.class, search = SearchStrategy.CURRENT)
	SettingsFactory lockOwnSettingsCheck(Environment environment) {
		SettingsFactory factory = new SettingsFactory(environment);
		factory.refuseHidden();
		return factory;
	}

	@Bean
	@ConditionalOnMissingBean
	LockSettings lockSettings(LockProperties properties, Environment environment,
			ObjectProvider<LockSettingsBuilderCustomizer> customizers) {
		LockSettings.Builder settings = new SettingsFactory(environment).create(properties);
		return StoreSettings.of("distributed-lock.*", LockSettingsBuilderCustomizer.class, () -> {
			customizers.orderedStream().forEach((customizer) -> customizer.customize(settings));
			return settings.build();
		});
	}

	/**
	 * Makes the default store. The bean is lazy, because an application that declares a
	 * template may need no store.
	 */
	@Bean(DefaultStore.CONFIGURED)
	@Lazy
	@ConditionalOnMissingBean(LockStore.class)
	LockStore configuredLockStore(ConfiguredStores stores) {
		return stores.makeDefault();
	}

	@Bean
	ConfiguredStores lockConfiguredStores(LockProperties properties, LockSettings settings,
			ObjectProvider<LockStoreFactory> factories, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		return new ConfiguredStores(properties, new StoreTypes(factories.orderedStream().toList()),
				Binder.get(environment), new DefaultStore(beanFactory), settings.leaseTime());
	}

	@Bean
	static UnknownProperties lockUnknownProperties(ListableBeanFactory beanFactory, Environment environment) {
		return new UnknownProperties(beanFactory, environment);
	}

	@Bean
	@ConditionalOnMissingBean
	LockEventPublisher lockEventPublisher(ApplicationEventPublisher publisher) {
		return new LockEventPublisher(publisher);
	}

	/**
	 * Combines all observers. The bean is primary, so that a template of the application
	 * can notify all observers.
	 */
	@Bean
	@Primary
	LockObservers lockObservers(ObjectProvider<LockObserver> observers) {
		return new LockObservers(observers);
	}

	/**
	 * The bean {@code lockTemplate} is that of lock4j, which an application may have too.
	 */
	@Bean("distributedLockTemplate")
	@ConditionalOnMissingBean(LockTemplate.class)
	LifecycleLockTemplate lockTemplate(LockSettings settings, LockProperties properties, LockObservers observers,
			ConfiguredStores stores, ObjectProvider<LockStoreDecorator> decorators,
			ConfigurableApplicationContext context) {
		UnaryOperator<LockStore> decorated = (store) -> {
			LockStore outermost = store;
			for (LockStoreDecorator decorator : decorators.orderedStream().toList()) {
				outermost = decorator.decorate(outermost);
			}
			return outermost;
		};
		return new LifecycleLockTemplate(
				() -> stores.template((id, each) -> LockTemplateBuilder.forStore(decorated.apply(each))
					.settings(settings)
					.storeId(id)
					.observer(observers)
					.build()),
				properties.shutdownTimeout(), new JobsAtShutdown(context));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LifecycleLockTemplate.class)
	LockTemplates lockTemplates(LockTemplate template, LockStore store) {
		// A test may have replaced the template bean.
		return new LifecycleLockTemplates(
				() -> (template instanceof LifecycleLockTemplate ours) ? ours.current() : template, store::describe);
	}

	@Bean
	@ConditionalOnClass(name = "reactor.core.publisher.Flux")
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LockTemplate.class)
	ReactiveLockTemplate reactiveLockTemplate(LockTemplate locks) {
		return new ReactiveLockTemplate(locks);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(CloseableLockTemplate.class)
	LockOperations lockOperations(ObjectProvider<CloseableLockTemplate> template, ApplicationEventPublisher publisher) {
		return new PublishingLockOperations(() -> LockOperations.of(template.getObject()), publisher);
	}

}
