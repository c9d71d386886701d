package io.distlock.spring.startup;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

import io.distlock.LockTemplate;
import io.distlock.spring.intercept.Invokers;
import io.distlock.spring.intercept.WovenApplication;

/** Runs woven methods under the locks of this application. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class WeavingConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static WovenApplication distributedLockWovenApplication(Invokers invokers, ObjectProvider<LockTemplate> template) {
		return new WovenApplication(invokers, SingletonSupplier.of(template::getObject));
	}

}
