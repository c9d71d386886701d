package io.distlock.autoconfigure.tracing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The spans of two processes that want the same lock, as OpenTelemetry exports them. */
class LockTracingTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42").named("stock").calledFrom("Stock.sell");

	private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

	private final Tracer tracer = new OtelTracer(
			SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(this.exporter)).build().get("test"),
			new OtelCurrentTraceContext(), (event) -> {
			});

	private final InMemoryLockServer server = new InMemoryLockServer();

	private ObservationRegistry registry() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(this.tracer));
		return registry;
	}

	private ApplicationContextRunner node() {
		return new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(AutoConfigurations.of(LockObservationAutoConfiguration.class))
			.withBean(LockStore.class, () -> new InMemoryLockStore(this.server))
			.withBean(ObservationRegistry.class, this::registry)
			.withBean(Tracer.class, () -> this.tracer);
	}

	private SpanData span(String name) {
		return this.exporter.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().equals(name))
			.reduce((first, second) -> second)
			.orElseThrow();
	}

	@Test
	void theSpanOfAWaiterLinksToTheTraceOfTheHolder() {
		node().run((one) -> node().run((two) -> {
			LockHandle[] held = new LockHandle[1];
			Observation first = Observation.createNotStarted("request one", one.getBean(ObservationRegistry.class));
			first.observe(() -> held[0] = one.getBean(LockTemplate.class).acquire(LOCK));
			String holder = span("acquire lock stock").getTraceId();
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> two.getBean(LockTemplate.class).acquire(LOCK.waitAtMost(Duration.ZERO)))
				.withMessageContaining("trace " + holder);
			this.exporter.reset();
			Thread waiter = new Thread(
					() -> Observation.createNotStarted("request two", two.getBean(ObservationRegistry.class))
						.observe(() -> two.getBean(LockTemplate.class).acquire(LOCK).close()));
			waiter.start();
			Awaitility.await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
			held[0].close();
			waiter.join();
			SpanData waits = span("wait for lock");
			assertThat(waits.getLinks()).singleElement()
				.satisfies((link) -> assertThat(link.getSpanContext().getTraceId()).isEqualTo(holder));
			SpanData acquires = span("acquire lock stock");
			SpanData request = span("request two");
			assertThat(waits.getParentSpanId()).isEqualTo(acquires.getSpanId());
			assertThat(acquires.getParentSpanId()).isEqualTo(request.getSpanId());
			assertThat(span("hold lock stock").getTraceId()).isIn(request.getTraceId(), holder);
			assertThat(this.exporter.getFinishedSpanItems())
				.filteredOn((span) -> span.getName().startsWith("hold lock"))
				.extracting(SpanData::getTraceId)
				.containsExactlyInAnyOrder(holder, request.getTraceId());
			// On a busy machine a poll may be faster than the message.
			assertThat(acquires.getAttributes().get(AttributeKey.stringKey("lock.outcome"))).isIn("push", "poll");
			assertThat(acquires.getAttributes().get(AttributeKey.stringKey("lock.key"))).isEqualTo("stock:42");
			assertThat(request.getTraceId()).isNotEqualTo(holder);
		}));
	}

	/** As Spring Boot does for all observations. */
	@Test
	void waitsAndHoldsAreTwoTimersOfAMeterHandler() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		node().run((node) -> {
			node.getBean(ObservationRegistry.class)
				.observationConfig()
				.observationHandler(new DefaultMeterObservationHandler(meters));
			node.getBean(LockTemplate.class).acquire(LOCK).close();
			assertThat(meters.find("lock.acquire").timers()).singleElement().satisfies((timer) -> {
				assertThat(timer.getId().getTag("lock.outcome")).isEqualTo("free");
				assertThat(timer.count()).isOne();
			});
			assertThat(meters.find("lock.hold").timers()).singleElement().satisfies((timer) -> {
				assertThat(timer.getId().getTag("lock.outcome")).isEqualTo("released");
				assertThat(timer.getId().getTag("lock.name")).isEqualTo("stock");
				assertThat(timer.count()).isOne();
			});
		});
	}

	@Test
	void aConventionOfTheApplicationReplacesTheNames() {
		node().withBean(LockAcquireObservationConvention.class, () -> new LockAcquireObservationConvention() {
			@Override
			public String getContextualName(LockObservationContext context) {
				return "my wait";
			}
		}).withBean(LockHoldObservationConvention.class, () -> new LockHoldObservationConvention() {
			@Override
			public String getContextualName(LockObservationContext context) {
				return "my hold";
			}
		}).run((node) -> {
			node.getBean(LockTemplate.class).acquire(LOCK).close();
			assertThat(this.exporter.getFinishedSpanItems()).extracting(SpanData::getName)
				.containsExactly("my wait", "my hold");
		});
	}

	@Test
	void traceOfAHolderThatNoTracerWroteLinksToNothing() {
		LockTraces traces = new LockTraces(this.tracer);
		LockObservationContext context = new LockObservationContext("default", "stock", LOCK,
				LockObservationContext.Stage.ACQUIRE);
		Observation observation = Observation.createNotStarted("x", () -> context, registry()).start();
		for (String trace : List.of("", "x", "4bf92f3577b34da6a3ce929d0e0e4736", "-", "\n-\n")) {
			assertThat(traces.waitFor(context, new Holder("a", "h", "i", "t", "c", Instant.EPOCH, trace))).isNull();
		}
		observation.stop();
	}

	/** As Spring Boot does for management.observations.enable.lock=false. */
	@Test
	void aPredicateOfTheRegistrySwitchesObservationsOff() {
		node().run((node) -> {
			node.getBean(ObservationRegistry.class)
				.observationConfig()
				.observationPredicate((name, context) -> !name.startsWith("lock."));
			node.getBean(LockTemplate.class).acquire(LOCK).close();
			assertThat(this.exporter.getFinishedSpanItems()).isEmpty();
		});
	}

}
