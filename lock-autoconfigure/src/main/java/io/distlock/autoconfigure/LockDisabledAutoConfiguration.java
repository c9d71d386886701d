package io.distlock.autoconfigure;

import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

import io.distlock.spring.intercept.WovenApplication;

/** Logs a warning when locking is switched off, and lets woven methods run unlocked. */
@AutoConfiguration
@ConditionalOnSwitch(name = "distributed-lock.enabled", is = false, byDefault = true)
public final class LockDisabledAutoConfiguration {

	LockDisabledAutoConfiguration() {
		LoggerFactory.getLogger(LockDisabledAutoConfiguration.class)
			.warn("distributed-lock.enabled is false: methods annotated with @DistributedLock run without a lock");
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static WovenApplication unlockedWovenApplication() {
		return WovenApplication.withoutLocks();
	}

}
