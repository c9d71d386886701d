package io.distlock.benchmark.peer;

import java.util.List;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockMetricsAutoConfiguration;
import io.distlock.autoconfigure.tracing.LockObservationAutoConfiguration;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The meters that the starter registers, for templates that are made without it. */
public final class Metered implements AutoCloseable {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final LockObserver observer;

	/**
	 * Registers the meters.
	 * @param registry where
	 */
	public Metered(MeterRegistry registry) {
		this.context.registerBean(LockTemplate.class,
				() -> LockTemplateBuilder.forStore(new InMemoryLockStore()).build());
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		this.context.registerBean(ObservationRegistry.class, () -> observations);
		this.context.register(LockMetricsAutoConfiguration.class, LockObservationAutoConfiguration.class);
		this.context.refresh();
		this.context.getBean(MeterBinder.class).bindTo(registry);
		this.observer = LockObserver.all(List.copyOf(this.context.getBeansOfType(LockObserver.class).values()));
	}

	/**
	 * Measures the locks of a template.
	 * @return what to build the template with
	 */
	public LockObserver observer() {
		return this.observer;
	}

	@Override
	public void close() {
		this.context.close();
	}

}
