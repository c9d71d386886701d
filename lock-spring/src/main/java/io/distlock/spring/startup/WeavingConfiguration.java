package io.distlock.spring.startup;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

import io.distlock.LockTemplate;
import io.distlock.spring.intercept.LockAdvisor;
import io.distlock.spring.intercept.WovenApplication;

/** Runs woven methods under the locks of this application. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class WeavingConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static WovenApplication distributedLockWovenApplication(LockAdvisor advisor,
			ObjectProvider<LockTemplate> template) {
		return new WovenApplication(advisor.invokers(), SingletonSupplier.of(template::getObject));
	}

}
