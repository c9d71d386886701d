package io.distlock.autoconfigure;

import reactor.core.publisher.Flux;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

import io.distlock.LockTemplate;
import io.distlock.spring.reactive.ReactiveLockTemplate;

/** Auto-configuration of the reactive lock template if Reactor is present. */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(Flux.class)
@ConditionalOnSingleCandidate(LockTemplate.class)
@ConditionalOnDistributedLockEnabled
public final class LockReactiveAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReactiveLockTemplate reactiveLockTemplate(LockTemplate locks) {
		return new ReactiveLockTemplate(locks);
	}

}
