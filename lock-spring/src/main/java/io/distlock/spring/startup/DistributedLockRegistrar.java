package io.distlock.spring.startup;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

import io.distlock.spring.EnableDistributedLocks;

/**
 * Registers what depends on the attributes of {@link EnableDistributedLocks}: the proxy
 * creator and the settings.
 */
final class DistributedLockRegistrar implements ImportBeanDefinitionRegistrar {

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		MergedAnnotation<EnableDistributedLocks> enable = importing.getAnnotations().get(EnableDistributedLocks.class);
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		if (enable.getBoolean("proxyTargetClass")) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
		}
		if (!registry.containsBeanDefinition(AnnotationSettings.BEAN_NAME)) {
			registry.registerBeanDefinition(AnnotationSettings.BEAN_NAME,
					BeanDefinitionBuilder.rootBeanDefinition(AnnotationSettings.class, "ofAnnotation")
						.addConstructorArgValue(enable.getEnum("mode", AdviceMode.class))
						.addConstructorArgValue(enable.getInt("order"))
						.addConstructorArgValue(enable.getBoolean("commitGuard"))
						.setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
						.getBeanDefinition());
		}
	}

}
