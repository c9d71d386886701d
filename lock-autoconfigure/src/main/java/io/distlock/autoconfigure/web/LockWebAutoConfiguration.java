package io.distlock.autoconfigure.web;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConditionalOnSwitch;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;

/**
 * Answers HTTP requests that fail because of a lock, unless
 * {@code distributed-lock.web.enabled} is {@code false} or the application declares a
 * {@link LockProblemAdvice}.
 */
@AutoConfiguration(after = LockAnnotationAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(RestControllerAdvice.class)
@ConditionalOnBean(LockTemplate.class)
@ConditionalOnDistributedLockEnabled
@ConditionalOnSwitch(name = "distributed-lock.web.enabled", byDefault = true)
public final class LockWebAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockProblemAdvice lockProblemAdvice() {
		return new LockProblemAdvice(Duration.ofSeconds(1));
	}

}
