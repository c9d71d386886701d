package io.distlock.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockNames;

/**
 * Observes acquisitions and holds if the application handles observations. Spring Boot
 * makes timers of them if there is a registry of meters, and spans if there is a tracer.
 */
@AutoConfiguration(after = LockAutoConfiguration.class,
		afterName = { "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ LockTemplate.class, ObservationRegistry.class })
@ConditionalOnDistributedLockEnabled
public final class LockObservationAutoConfiguration {

	@Bean
	LockObservations lockObservations(ObservationRegistry registry,
			ObjectProvider<LockAcquireObservationConvention> acquire,
			ObjectProvider<LockHoldObservationConvention> hold, ObjectProvider<LockTraces> traces,
			ObjectProvider<LockNames> names) {
		return new LockObservations(registry, acquire.getIfAvailable(), hold.getIfAvailable(), traces.getIfAvailable(),
				names.getIfAvailable(LockNames::new));
	}

	/** Configures the link from the wait for a holder to the trace of the holder. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Tracer.class, TracingObservationHandler.class })
	@ConditionalOnBean(Tracer.class)
	static class Traces {

		@Bean
		LockTraces lockTraces(Tracer tracer) {
			return new LockTraces(tracer);
		}

	}

}
