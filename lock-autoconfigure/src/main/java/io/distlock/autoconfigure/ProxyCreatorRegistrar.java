package io.distlock.autoconfigure;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the creator of proxies that applies the advisor of locks, according to the
 * properties of Spring Boot. Spring Boot registers a creator for all kinds of proxies
 * only with AspectJ, which would slow the start of an application without aspects.
 */
final class ProxyCreatorRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	ProxyCreatorRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		if (isOn("spring.aop.auto")) {
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
			if (isOn("spring.aop.proxy-target-class")) {
				AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
			}
		}
	}

	private boolean isOn(String property) {
		return this.environment.getProperty(property, Boolean.class, true);
	}

}
