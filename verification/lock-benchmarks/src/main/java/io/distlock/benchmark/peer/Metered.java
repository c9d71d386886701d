package io.distlock.benchmark.peer;

import io.distlock.LockTemplate;
import io.distlock.LockTemplateBuilder;
import io.distlock.autoconfigure.LockMetricsAutoConfiguration;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

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
		this.context.register(LockMetricsAutoConfiguration.class);
		this.context.refresh();
		this.context.getBean(MeterBinder.class).bindTo(registry);
		this.observer = this.context.getBean(LockObserver.class);
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
