package io.distlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.startup.AnnotationSettings;
import io.distlock.spring.startup.DistributedLockConfiguration;
import io.distlock.spring.startup.WeavingConfiguration;

/**
 * Auto-configuration of {@link io.distlock.DistributedLock @DistributedLock}. It declares
 * the beans that {@link EnableDistributedLocks} imports in a context without Spring Boot.
 * It also registers the creator of proxies, which is missing in a slice of tests and in
 * an application without AspectJ.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnDistributedLockEnabled
@Import({ ProxyCreatorRegistrar.class, DistributedLockConfiguration.class })
public final class LockAnnotationAutoConfiguration {

	/**
	 * The properties that correspond to the attributes of {@link EnableDistributedLocks}.
	 */
	private static final Map<String, String> PROPERTIES = Map.of("mode", LockProperties.PREFIX + ".advice-mode",
			"order", LockProperties.PREFIX + ".advice-order", "commitGuard", LockProperties.PREFIX + ".commit-guard");

	/**
	 * Reads the settings from the environment, because the advisor exists before other
	 * beans. The bean is primary, because {@link EnableDistributedLocks} registers
	 * settings too.
	 */
	@Bean
	@Primary
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotationSettings lockAnnotationSettings(Environment environment, ListableBeanFactory beanFactory) {
		LockVariables.warn(environment);
		BareDurations.warn(environment);
		ConfiguredNames.check(environment);
		LockProperties properties = LockProperties.of(environment);
		Integer order = properties.adviceOrder();
		AnnotationSettings settings = new AnnotationSettings(properties.adviceMode(),
				(order != null) ? order : EnableDistributedLocks.DEFAULT_ORDER, properties.commitGuard(),
				properties.configured(ConfiguredNames.ofVariables(environment)), properties.onStoreFailure(),
				properties.selfInvocation());
		if (beanFactory.containsBeanDefinition(AnnotationSettings.BEAN_NAME)) {
			refuseHidden(beanFactory.getBean(AnnotationSettings.BEAN_NAME, AnnotationSettings.class), settings);
		}
		return settings;
	}

	private static void refuseHidden(AnnotationSettings annotation, AnnotationSettings properties) {
		List<String> hidden = annotation.setOtherwiseIn(properties);
		if (!hidden.isEmpty()) {
			throw new LockConfigurationException(
					"In a Spring Boot application the properties count, so these attributes of @EnableDistributedLocks "
							+ "have no effect: " + String.join(", ", hidden) + ".",
					"Remove @EnableDistributedLocks, which Spring Boot applications do not need, and set instead: "
							+ hidden.stream().map(PROPERTIES::get).collect(Collectors.joining(", ")) + ".");
		}
	}

	/** Configures woven methods. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "distributed-lock.advice-mode", havingValue = "aspectj")
	@Import(WeavingConfiguration.class)
	static class WovenConfiguration {

	}

}
