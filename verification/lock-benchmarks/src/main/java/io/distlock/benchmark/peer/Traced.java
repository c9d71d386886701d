package io.distlock.benchmark.peer;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.tracing.LockObservationAutoConfiguration;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * The traces that the starter makes, for templates that are made without it. Each call is
 * sampled, and nothing exports the spans.
 */
public final class Traced implements AutoCloseable {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final SdkTracerProvider spans = SdkTracerProvider.builder().build();

	private final LockObserver observer;

	/** Starts the tracer. */
	public Traced() {
		Tracer tracer = new OtelTracer(this.spans.get("benchmark"), new OtelCurrentTraceContext(), (event) -> {
		});
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
		this.context.registerBean(LockTemplate.class,
				() -> LockTemplateBuilder.forStore(new InMemoryLockStore()).build());
		this.context.registerBean(ObservationRegistry.class, () -> registry);
		this.context.registerBean(Tracer.class, () -> tracer);
		this.context.register(LockObservationAutoConfiguration.class);
		this.context.refresh();
		this.observer = this.context.getBean(LockObserver.class);
	}

	/**
	 * Traces the locks of a template.
	 * @return what to build the template with
	 */
	public LockObserver observer() {
		return this.observer;
	}

	@Override
	public void close() {
		this.context.close();
		this.spans.close();
	}

}
