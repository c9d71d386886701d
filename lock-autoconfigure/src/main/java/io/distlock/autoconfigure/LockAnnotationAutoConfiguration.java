package io.distlock.autoconfigure;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.startup.AnnotationSettings;
import io.distlock.spring.startup.DistributedLockConfiguration;
import io.distlock.spring.startup.WeavingConfiguration;

/**
 * Auto-configuration of {@link io.distlock.DistributedLock @DistributedLock}: what
 * {@link EnableDistributedLocks} imports in a context without Spring Boot.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnDistributedLockEnabled
@Import(DistributedLockConfiguration.class)
public final class LockAnnotationAutoConfiguration {

	/** Read from the environment, as the advisor exists before other beans. */
	@Bean(AnnotationSettings.BEAN_NAME)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean
	static AnnotationSettings annotationSettings(Environment environment) {
		LockProperties properties = LockProperties.of(environment);
		Integer order = properties.order();
		return new AnnotationSettings(properties.mode(), (order != null) ? order : EnableDistributedLocks.DEFAULT_ORDER,
				properties.commitGuard(), properties.startupReport(), properties.selfInvocationCheck(),
				properties.configured(), properties.longestLease(), properties.onStoreFailure());
	}

	/** Methods that are woven. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "distributed-lock.mode", havingValue = "aspectj")
	@Import(WeavingConfiguration.class)
	static class WovenConfiguration {

	}

}
