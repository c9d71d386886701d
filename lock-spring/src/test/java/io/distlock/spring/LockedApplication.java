package io.distlock.spring;

import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockOptions;
import io.distlock.LockTemplate;
import io.distlock.OnStoreFailure;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.startup.AnnotationSettings;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A Spring application without Spring Boot that enables distributed locks, and a second
 * template that sees the locks as another process would.
 */
public final class LockedApplication implements AutoCloseable {

	private final CloseableLockTemplate other;

	private final CloseableLockTemplate template;

	private final FaultyLockStore store;

	private final ShiftedClock clock = new ShiftedClock();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	public LockedApplication(boolean proxyTargetClass, Map<String, LockOptions> overrides,
			Map<String, Object> properties, Class<?>... components) {
		InMemoryLockServer server = new InMemoryLockServer();
		this.other = LockTemplateBuilder.forStore(new InMemoryLockStore(server)).build();
		this.store = new FaultyLockStore(new InMemoryLockStore(server));
		this.template = LockTemplateBuilder.forStore(this.store).clock(this.clock).build();
		this.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		this.context.registerBean(PropertySourcesPlaceholderConfigurer.class);
		this.context.registerBean(AnnotationSettings.BEAN_NAME, AnnotationSettings.class, () -> settings(overrides),
				(definition) -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
		this.context.registerBean(LockTemplate.class, () -> this.template);
		this.context.register(proxyTargetClass ? ClassProxies.class : InterfaceProxies.class);
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

	private static AnnotationSettings settings(Map<String, LockOptions> overrides) {
		return new AnnotationSettings(AdviceMode.PROXY, EnableDistributedLocks.DEFAULT_ORDER, true,
				overrides.entrySet()
					.stream()
					.collect(Collectors.toMap(Map.Entry::getKey, (lock) -> ConfiguredLock.of(lock.getValue()))),
				OnStoreFailure.FAIL, SelfInvocation.WARN);
	}

	public static LockedApplication of(Class<?>... components) {
		return new LockedApplication(true, Map.of(), Map.of(), components);
	}

	public static LockedApplication withInterfaceProxies(Class<?>... components) {
		return new LockedApplication(false, Map.of(), Map.of(), components);
	}

	/** An application with such a bean does not start, and says why. */
	static void assertRefused(Class<?> type, String text) {
		String bean = StringUtils.uncapitalizeAsProperty(ClassUtils.getShortName(type));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> of(type).close())
			.havingRootCause()
			.isInstanceOf(InvalidLockDefinitionException.class)
			.withMessageStartingWith("Bean '" + bean + "': @DistributedLock on ")
			.withMessageEndingWith(": " + text);
	}

	public <T> T get(Class<T> type) {
		return this.context.getBean(type);
	}

	public CloseableLockTemplate lock() {
		return this.template;
	}

	/** Of the application, not of the other process. */
	public FaultyLockStore store() {
		return this.store;
	}

	/** The application believes that its leases of 20 s are over. */
	public void outliveLeases() {
		this.clock.outliveLeases();
	}

	/** Another process, as it were. */
	public LockTemplate other() {
		return this.other;
	}

	/** Whether another process finds the lock busy right now. */
	public boolean isBusy(String key) {
		return TestThreads.isBusy(this.other, key);
	}

	@Override
	public void close() {
		this.context.close();
		this.template.close();
		this.other.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(proxyTargetClass = true)
	static class ClassProxies {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	static class InterfaceProxies {

	}

}
