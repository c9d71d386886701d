package io.distlock.autoconfigure.tracing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import org.jspecify.annotations.Nullable;

import io.distlock.Holder;

/**
 * Handles the spans behind observations. It provides the trace that a holder shows to
 * others, and a span for the wait for a holder, which links to the holder's trace. It is
 * used only with a tracer.
 */
final class LockTraces {

	/**
	 * Checks a trace from the store, because the text of other processes is not trusted.
	 */
	private static final Pattern TRACE = Pattern.compile("([0-9a-f]{16}|[0-9a-f]{32})-([0-9a-f]{16})");

	private final Tracer tracer;

	LockTraces(Tracer tracer) {
		this.tracer = tracer;
	}

	/** Returns trace id and span id of an observation, or an empty text. */
	String of(Observation.Context context) {
		Span span = span(context);
		if (span == null || span.isNoop()) {
			return "";
		}
		return span.context().traceId() + "-" + span.context().spanId();
	}

	private static @Nullable Span span(Observation.Context context) {
		TracingObservationHandler.TracingContext tracing = context.get(TracingObservationHandler.TracingContext.class);
		return (tracing != null) ? tracing.getSpan() : null;
	}

	/**
	 * Begins a separate span for the wait. Links can be set only before a span starts,
	 * and the span of the acquisition starts before the holder is known.
	 * @param acquisition the waiting observation
	 * @param holder the holder for which the acquisition waits
	 * @return an action that ends the span, {@code null} if the trace of the holder is
	 * unknown
	 */
	@Nullable Runnable waitFor(Observation.Context acquisition, Holder holder) {
		Matcher trace = TRACE.matcher(holder.trace());
		Span parent = span(acquisition);
		if (parent == null || parent.isNoop() || !trace.matches()) {
			return null;
		}
		TraceContext other = this.tracer.traceContextBuilder()
			.traceId(trace.group(1))
			.spanId(trace.group(2))
			.sampled(true)
			.build();
		Span span = this.tracer.spanBuilder()
			.setParent(parent.context())
			.name("wait for lock")
			.addLink(new Link(other))
			.start();
		return span::end;
	}

}
