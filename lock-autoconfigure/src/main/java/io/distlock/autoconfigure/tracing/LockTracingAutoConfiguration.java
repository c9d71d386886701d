package io.distlock.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConditionalOnSwitch;
import io.distlock.autoconfigure.LockAutoConfiguration;

/**
 * Observes acquisitions and holds where there is a tracer. Without one the meters say the
 * same for less.
 */
@AutoConfiguration(after = LockAutoConfiguration.class,
		afterName = { "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration" })
@ConditionalOnClass({ ObservationRegistry.class, Tracer.class, TracingObservationHandler.class })
@ConditionalOnBean({ LockTemplate.class, ObservationRegistry.class, Tracer.class })
@ConditionalOnDistributedLockEnabled
@ConditionalOnSwitch(name = "distributed-lock.tracing", byDefault = true)
public final class LockTracingAutoConfiguration {

	@Bean
	LockObservations lockObservations(ObservationRegistry registry,
			ObjectProvider<LockAcquireObservationConvention> acquire,
			ObjectProvider<LockHoldObservationConvention> hold, Tracer tracer) {
		return new LockObservations(registry, acquire.getIfAvailable(), hold.getIfAvailable(), new LockTraces(tracer));
	}

}
