package io.distlock.autoconfigure.shedlock;

import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.spring.shedlock.LockTemplateLockProvider;

/**
 * Auto-configuration of a lock provider, if ShedLock is there and the application
 * declares no provider.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(LockProvider.class)
@ConditionalOnSingleCandidate(LockTemplate.class)
@ConditionalOnDistributedLockEnabled
public final class LockProviderAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockProvider.class)
	LockTemplateLockProvider lockTemplateLockProvider(LockTemplate locks) {
		return new LockTemplateLockProvider(locks);
	}

}
