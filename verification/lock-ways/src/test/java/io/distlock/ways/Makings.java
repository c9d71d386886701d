package io.distlock.ways;

import java.util.function.Consumer;
import java.util.stream.Stream;

import io.distlock.DistributedLock;
import io.distlock.ways.Declarations.InterfaceMethod;
import io.distlock.ways.Declarations.OfInterface;
import io.distlock.ways.Declarations.OnMethod;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.PriorityOrdered;

/** How the bean is made. The annotation is on a method, and another bean calls it. */
final class Makings {

	private static final String BY_SPRING = "a bean definition, for instance with a supplier";

	private static final String OTHER_BEAN = "the method in another bean";

	private Makings() {
	}

	static Stream<Way> ways() {
		return Stream.of(way("is a component").with(OnMethod.class).calls(Makings::work),
				way("is a `@Bean`").with(BeanMethod.class).calls(Makings::work),
				way("is a `@Bean` declared as its interface").with(AsInterface.class)
					.calls((app) -> app.getBean(InterfaceMethod.class).work()),
				way("comes from a supplier").before((app) -> app.registerBean(OnMethod.class, OnMethod::new))
					.calls(Makings::work),
				way("comes from a supplier as its interface")
					.before((app) -> app.registerBean(InterfaceMethod.class, OfInterface::new))
					.calls((app) -> app.getBean(InterfaceMethod.class).work()),
				way("comes from a `FactoryBean`").with(Factory.class).calls(Makings::work),
				way("is a `FactoryBean`, the method is `getObject`").instead(OTHER_BEAN)
					.with(LockedFactory.class)
					.calls((app) -> app.getBean(Product.class)),
				way("is a prototype").with(Prototype.class).calls(Makings::work),
				way("is lazy").with(LazyBean.class).calls(Makings::work),
				way("is injected lazily").with(LazyClient.class, OnMethod.class)
					.calls((app) -> app.getBean(LazyClient.class).call()),
				way("has a scope").with(Scopes.class, InScope.class).calls(Makings::work),
				way("has a scope and a proxy for it").with(Scopes.class, InScopeByProxy.class).calls(Makings::work),
				way("is refreshed").with(Refreshed.class).calls((app) -> {
					work(app);
					app.getBean(RefreshScope.class).refreshAll();
					work(app);
				}),
				way("is an inner bean").before(innerBean(OnMethod.class))
					.calls((app) -> ((OnMethod) app.getBean(Outer.class).inner).work()),
				way("is in a circle of beans").with("spring.main.allow-circular-references=true")
					.with(Egg.class, Hen.class)
					.calls((app) -> {
						app.getBean(Egg.class).work();
						app.getBean(Hen.class).egg.work();
					}),
				way("is a `@Configuration` class").with(WorkingConfiguration.class)
					.calls((app) -> app.getBean(WorkingConfiguration.class).work()),
				way("is a `@Configuration` class, the method is a `@Bean`").with(LockedBeanMethod.class)
					.calls((app) -> app.getBean(Product.class)),
				way("comes from `createBean`")
					.calls((app) -> app.getAutowireCapableBeanFactory().createBean(OnMethod.class).work()),
				way("comes from `initializeBean`").calls(
						(app) -> ((OnMethod) app.getAutowireCapableBeanFactory().initializeBean(new OnMethod(), "own"))
							.work()),
				way("comes from `autowireBean`").instead("`createBean`, or what `initializeBean` returns")
					.calls((app) -> {
						OnMethod own = new OnMethod();
						app.getAutowireCapableBeanFactory().autowireBean(own);
						own.work();
					}),
				way("comes from `registerSingleton`").instead(BY_SPRING)
					.before((app) -> app.getBeanFactory().registerSingleton("own", new OnMethod()))
					.calls(Makings::work),
				way("is in a child context with the locks").calls((app) -> inChild(app, LockedApp.class)),
				way("is in a child context without them")
					.instead("the same auto-configuration in the child, or the bean in its parent")
					.calls((app) -> inChild(app)),
				way("is in a child context that creates proxies").calls((app) -> inChild(app, Creator.class)),
				way("has two creators of proxies").with(Creator.class, OnMethod.class).calls(Makings::work),
				way("is needed by a `BeanPostProcessor`").with(OnMethod.class, NeedyProcessor.class).alone(),
				way("is needed by a `BeanPostProcessor` that is `PriorityOrdered`").instead(OTHER_BEAN)
					.with(OnMethod.class, FirstProcessor.class)
					.alone(),
				way("is a `BeanPostProcessor`").with(Processor.class)
					.calls((app) -> app.getBean(Processor.class).work()),
				way("is a `BeanFactoryPostProcessor`").instead(OTHER_BEAN).with(FactoryProcessor.class).alone());
	}

	private static Way.Builder way(String text) {
		return Way.of(Way.MADE, text);
	}

	private static void work(BeanFactory app) {
		app.getBean(OnMethod.class).work();
	}

	static Consumer<GenericApplicationContext> innerBean(Class<?> type) {
		RootBeanDefinition outer = new RootBeanDefinition(Outer.class);
		outer.getPropertyValues().add("inner", new RootBeanDefinition(type));
		return (app) -> app.registerBeanDefinition("outer", outer);
	}

	private static void inChild(ApplicationContext parent, Class<?>... sources) {
		try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
			child.setParent(parent);
			if (sources.length > 0) {
				child.register(sources);
			}
			child.register(OnMethod.class);
			child.refresh();
			work(child);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethod {

		@Bean
		OnMethod work() {
			return new OnMethod();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AsInterface {

		@Bean
		InterfaceMethod work() {
			return new OfInterface();
		}

	}

	static class Factory implements FactoryBean<OnMethod> {

		@Override
		public OnMethod getObject() {
			return new OnMethod();
		}

		@Override
		public Class<?> getObjectType() {
			return OnMethod.class;
		}

	}

	static class Product {

	}

	static class LockedFactory implements FactoryBean<Product> {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public Product getObject() {
			Witness.work();
			return new Product();
		}

		@Override
		public Class<?> getObjectType() {
			return Product.class;
		}

	}

	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	static class Prototype extends OnMethod {

	}

	@Lazy
	static class LazyBean extends OnMethod {

	}

	static class LazyClient {

		private final OnMethod work;

		private final ObjectProvider<OnMethod> provider;

		LazyClient(@Lazy OnMethod work, ObjectProvider<OnMethod> provider) {
			this.work = work;
			this.provider = provider;
		}

		void call() {
			this.work.work();
			this.provider.getObject().work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scopes {

		@Bean
		static BeanFactoryPostProcessor threadScope() {
			return (beans) -> beans.registerScope("thread", new SimpleThreadScope());
		}

	}

	@Scope("thread")
	static class InScope extends OnMethod {

	}

	@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class InScopeByProxy extends OnMethod {

	}

	@Configuration(proxyBeanMethods = false)
	static class Refreshed {

		@Bean
		static RefreshScope refreshScope() {
			return new RefreshScope();
		}

		@Bean
		@org.springframework.cloud.context.config.annotation.RefreshScope
		OnMethod work() {
			return new OnMethod();
		}

	}

	static class Outer {

		private Object inner;

		public void setInner(Object inner) {
			this.inner = inner;
		}

	}

	static class Egg {

		@Autowired
		private Hen hen;

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class Hen {

		@Autowired
		private Egg egg;

	}

	@Configuration
	static class WorkingConfiguration {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	@Configuration
	static class LockedBeanMethod {

		@Bean
		@DistributedLock(name = Witness.LOCK)
		public Product product() {
			Witness.work();
			return new Product();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Creator {

		@Bean
		static DefaultAdvisorAutoProxyCreator creator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	static class NeedyProcessor implements BeanPostProcessor {

		NeedyProcessor(OnMethod work) {
			work.work();
		}

	}

	static class FirstProcessor implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

		@Override
		public void setBeanFactory(BeanFactory beans) {
			work(beans);
		}

		@Override
		public int getOrder() {
			return 0;
		}

	}

	static class Processor implements BeanPostProcessor {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class FactoryProcessor implements BeanFactoryPostProcessor {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		}

	}

}
