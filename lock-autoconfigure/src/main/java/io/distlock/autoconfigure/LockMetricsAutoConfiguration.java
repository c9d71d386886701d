package io.distlock.autoconfigure;

import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

import io.distlock.spring.intercept.Invokers;

/** Auto-configuration of what Micrometer, where it is there, is told of the locks. */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(LifecycleLockTemplate.class)
public final class LockMetricsAutoConfiguration {

	@Bean
	LockMeters lockMeters(LifecycleLockTemplate template, ObjectProvider<Invokers> methods) {
		return new LockMeters(template, () -> methods.stream().mapToLong(Invokers::runsWithoutLock).sum());
	}

}
