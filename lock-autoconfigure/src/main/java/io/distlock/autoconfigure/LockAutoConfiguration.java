package io.distlock.autoconfigure;

import java.util.Map;

import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.util.function.SingletonSupplier;

import io.distlock.LockListener;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.LockTuning;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.intercept.CommitGuard;
import io.distlock.spring.intercept.Invokers;
import io.distlock.spring.intercept.LockAdvisor;
import io.distlock.spring.intercept.ReactiveCommitGuard;
import io.distlock.spring.intercept.WovenApplication;
import io.distlock.spring.startup.LockEventPublisher;
import io.distlock.spring.startup.LockedBeanValidator;
import io.distlock.spring.startup.PermitCheck;
import io.distlock.spring.startup.SelfInvocationCheck;
import io.distlock.spring.startup.StartupReport;
import io.distlock.spring.startup.TransactionOrderCheck;

/**
 * Auto-configuration of the lock template and of
 * {@link io.distlock.DistributedLock @DistributedLock}.
 */
@AutoConfiguration
public final class LockAutoConfiguration {

	/** The template. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
	@EnableConfigurationProperties(LockProperties.class)
	static class TemplateConfiguration {

		@Bean
		@ConditionalOnMissingBean
		LockSettings lockSettings(LockProperties properties, Environment environment) {
			return new SettingsFactory(environment).create(properties);
		}

		@Bean
		@ConditionalOnProperty(name = "distributed-lock.store", havingValue = "memory")
		@ConditionalOnMissingBean(LockStore.class)
		InMemoryLockStore memoryLockStore() {
			return new InMemoryLockStore();
		}

		@Bean
		@ConditionalOnMissingBean
		LockEventPublisher lockEventPublisher(ApplicationEventPublisher publisher) {
			return new LockEventPublisher(publisher);
		}

		@Bean
		LockListeners lockListeners(ObjectProvider<LockListener> listeners) {
			return new LockListeners(listeners);
		}

		@Bean
		@ConditionalOnMissingBean(LockTemplate.class)
		LifecycleLockTemplate lockTemplate(ListableBeanFactory beanFactory, LockSettings settings,
				LockProperties properties, LockListeners listeners) {
			LockStore store = new StoreSelection(beanFactory).select(properties.store());
			return new LifecycleLockTemplate(
					() -> LockTemplateBuilder.forStore(store).settings(settings).listener(listeners).build(),
					properties.shutdownTimeout());
		}

	}

	/** Transactions, where there are any. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TransactionExecutionListener.class)
	@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
	static class TransactionConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnBooleanProperty(name = "distributed-lock.commit-guard", matchIfMissing = true)
		@ConditionalOnMissingBean
		static CommitGuard lockCommitGuard() {
			return new CommitGuard();
		}

		@Bean
		@ConditionalOnMissingBean
		static TransactionOrderCheck lockTransactionOrderCheck(ConfigurableListableBeanFactory beanFactory,
				LockedMethods methods) {
			return new TransactionOrderCheck(beanFactory, methods);
		}

	}

	/** Reactive transactions, where there are any. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ TransactionalOperator.class, Flux.class })
	@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
	static class ReactiveTransactionConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnBooleanProperty(name = "distributed-lock.commit-guard", matchIfMissing = true)
		@ConditionalOnMissingBean
		static ReactiveCommitGuard lockReactiveCommitGuard() {
			return new ReactiveCommitGuard();
		}

	}

	/** The annotation. Its beans exist before others, so they look for those late. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
	static class AnnotationConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnMissingBean
		static LockedMethods lockedMethods(ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<LockProperties> properties) {
			return new LockedMethods(beanFactory, () -> overrides(properties),
					() -> properties.getObject().longestLease());
		}

		private static Map<String, LockTuning> overrides(ObjectProvider<LockProperties> properties) {
			return properties.getObject().locks();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnMissingBean
		static Invokers lockInvokers(LockedMethods methods, ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<LockProperties> properties) {
			return new Invokers(methods, beanFactory, () -> properties.getObject().onStoreFailure());
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnMissingBean
		static LockAdvisor distributedLockAdvisor(Invokers invokers, ObjectProvider<LockTemplate> template,
				Environment environment) {
			LockAdvisor advisor = new LockAdvisor(invokers, SingletonSupplier.of(template::getObject),
					mode(environment));
			Binder.get(environment).bind("distributed-lock.order", Integer.class).ifBound(advisor::setOrder);
			return advisor;
		}

		private static AdviceMode mode(Environment environment) {
			return Binder.get(environment).bind("distributed-lock.mode", AdviceMode.class).orElse(AdviceMode.PROXY);
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnProperty(name = "distributed-lock.mode", havingValue = "aspectj")
		@ConditionalOnMissingBean
		static WovenApplication wovenLockApplication(Invokers invokers, ObjectProvider<LockTemplate> template) {
			return new WovenApplication(invokers, SingletonSupplier.of(template::getObject));
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnMissingBean
		static LockedBeanValidator lockedBeanValidator(ConfigurableListableBeanFactory beanFactory, Invokers invokers,
				Environment environment) {
			return new LockedBeanValidator(beanFactory, invokers, mode(environment));
		}

		/**
		 * Of no use where the lock is woven in: a call is locked then, whoever makes it.
		 */
		@Bean
		@ConditionalOnBooleanProperty(name = "distributed-lock.self-invocation-check", matchIfMissing = true)
		@ConditionalOnProperty(name = "distributed-lock.mode", havingValue = "proxy", matchIfMissing = true)
		static SelfInvocationCheck lockSelfInvocationCheck(LockedBeanValidator validator) {
			return new SelfInvocationCheck(validator);
		}

		@Bean
		static PermitCheck lockPermitCheck(LockedBeanValidator validator, ObjectProvider<LockStore> store) {
			return new PermitCheck(validator, () -> store.stream().findFirst());
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "distributed-lock.startup-report", matchIfMissing = true)
		static StartupReport lockStartupReport(LockedBeanValidator validator, LockedMethods methods,
				LockSettings settings, ObjectProvider<LockStore> store, ObjectProvider<LockTemplate> template) {
			return new StartupReport(validator, methods, settings, () -> describe(store, template));
		}

		private static String describe(ObjectProvider<LockStore> stores, ObjectProvider<LockTemplate> template) {
			LockStore store = stores.getIfUnique();
			String instance = (template.getIfUnique() instanceof LifecycleLockTemplate own)
					? ", instance " + own.instance() : "";
			return ((store != null) ? store.describe() : "a template of the application's own") + instance;
		}

	}

	/** Nothing, said aloud. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", havingValue = false)
	static class DisabledConfiguration {

		DisabledConfiguration() {
			LoggerFactory.getLogger(LockAutoConfiguration.class)
				.warn("distributed-lock.enabled is false: methods annotated with @DistributedLock run without a lock");
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static WovenApplication wovenLockApplication() {
			return WovenApplication.withoutLocks();
		}

	}

}
