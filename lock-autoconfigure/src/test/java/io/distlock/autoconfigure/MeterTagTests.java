package io.distlock.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.tracing.LockObservationAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/** Keys are made of what users sent, and tokens are all different. */
class MeterTagTests {

	private static final String KEY = "customer:ann@example.com";

	@Test
	void keysTokensAndInstancesAreNeitherNamesNorTags() {
		MeterRegistry meters = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withPropertyValues("distributed-lock.store=memory")
			.withConfiguration(AutoConfigurations.of(LockObservationAutoConfiguration.class))
			.withBean(MeterRegistry.class, () -> meters)
			.withBean(ObservationRegistry.class, () -> observations)
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				context.getBeanProvider(MeterBinder.class).forEach((binder) -> binder.bindTo(registry));
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire(KEY)) {
					List<String> texts = registry.getMeters()
						.stream()
						.flatMap((meter) -> Stream.concat(Stream.of(meter.getId().getName()),
								meter.getId().getTags().stream().map((tag) -> tag.getKey() + "=" + tag.getValue())))
						.toList();
					assertThat(texts).contains("lock.acquire", "lock.hold.active")
						.noneMatch((text) -> text.contains("ann@") || text.contains("" + lock.fencingToken()));
				}
			});
	}

}
