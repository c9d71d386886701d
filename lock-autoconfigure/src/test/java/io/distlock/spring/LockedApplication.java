package io.distlock.spring;

import java.util.Map;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockTemplate;
import io.distlock.LockTemplateBuilder;
import io.distlock.OnStoreFailure;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.intercept.Invokers;
import io.distlock.spring.intercept.LockAdvisor;
import io.distlock.spring.startup.LockedBeanValidator;
import io.distlock.test.FaultyLockStore;

/**
 * A plain Spring application with the lock, as somebody without Spring Boot would build
 * it, and a second template that sees the locks as another process would.
 */
public final class LockedApplication implements AutoCloseable {

	private final CloseableLockTemplate other;

	private final CloseableLockTemplate template;

	private final FaultyLockStore store;

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	public LockedApplication(boolean proxyTargetClass, Map<String, LockTuning> overrides,
			Map<String, Object> properties, Class<?>... components) {
		InMemoryLockServer server = new InMemoryLockServer();
		this.other = LockTemplateBuilder.forStore(new InMemoryLockStore(server)).build();
		this.store = new FaultyLockStore(new InMemoryLockStore(server));
		this.template = LockTemplateBuilder.forStore(this.store).build();
		this.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		this.context.registerBean(PropertySourcesPlaceholderConfigurer.class);
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(this.context);
		if (proxyTargetClass) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(this.context);
		}
		Invokers invokers = new Invokers(new LockedMethods(this.context.getBeanFactory(), () -> overrides),
				this.context.getBeanFactory(), () -> OnStoreFailure.FAIL);
		this.context.registerBean(LockAdvisor.class, () -> new LockAdvisor(invokers, this::lock),
				(definition) -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
		this.context.registerBean(LockedBeanValidator.class,
				() -> new LockedBeanValidator(this.context.getBeanFactory(), invokers));
		for (Class<?> component : components) {
			this.context.registerBean(component);
		}
		try {
			this.context.refresh();
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	public static LockedApplication of(Class<?>... components) {
		return new LockedApplication(true, Map.of(), Map.of(), components);
	}

	public static LockedApplication withInterfaceProxies(Class<?>... components) {
		return new LockedApplication(false, Map.of(), Map.of(), components);
	}

	public <T> T get(Class<T> type) {
		return this.context.getBean(type);
	}

	public LockTemplate lock() {
		return this.template;
	}

	/** Of the application, not of the other process. */
	public FaultyLockStore store() {
		return this.store;
	}

	/** Another process, as it were. */
	public LockTemplate other() {
		return this.other;
	}

	/** Whether another process finds the lock busy right now. */
	public boolean isBusy(String key) {
		return Busy.isBusy(this.other, key);
	}

	@Override
	public void close() {
		this.context.close();
		this.template.close();
		this.other.close();
	}

}
