package io.distlock.autoconfigure.integration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.spring.integration.LockTemplateLockRegistry;

/**
 * Auto-configuration of a lock registry, if Spring Integration is there and the
 * application declares no registry. Its locks have the name {@code integration}.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(LockTemplate.class)
@ConditionalOnDistributedLockEnabled
public final class LockRegistryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	LockTemplateLockRegistry lockTemplateLockRegistry(LockTemplate locks) {
		return new LockTemplateLockRegistry(locks, "integration");
	}

}
