package io.distlock;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

import io.distlock.support.ForeignText;

/**
 * Describes the holder of a lock, for messages and for operators. No decision depends on
 * this description. It may come from another process. Each text therefore has at most 256
 * characters of the original, with escapes for unprintable characters.
 *
 * @param application name of the application
 * @param host host or pod name
 * @param instance id of the process's lock engine, new at every start
 * @param thread name of the thread that asked for the lock, may be empty
 * @param caller the method or place that asked for the lock, may be empty
 * @param since when the lock was granted, by the store's clock
 * @param trace the trace in which the lock was asked for: a trace id, a hyphen and a span
 * id; empty without tracing
 * @serial exclude
 */
public record Holder(String application, String host, String instance, String thread, String caller, Instant since,
		String trace) implements Serializable {

	/**
	 * Creates a description with texts that are fit for messages.
	 * @param application name of the application
	 * @param host host or pod name
	 * @param instance id of the process's lock engine
	 * @param thread name of the thread that asked for the lock, may be empty
	 * @param caller the method or place that asked for the lock, may be empty
	 * @param since when the lock was granted, by the store's clock
	 * @param trace a trace id, a hyphen and a span id, or an empty text
	 */
	public Holder {
		application = ForeignText.of(application);
		host = ForeignText.of(host);
		instance = ForeignText.of(instance);
		thread = ForeignText.of(thread);
		caller = ForeignText.of(caller);
		trace = ForeignText.of(trace);
	}

	/**
	 * Creates a description without a trace.
	 * @param application name of the application
	 * @param host host or pod name
	 * @param instance id of the process's lock engine
	 * @param thread name of the thread that asked for the lock, may be empty
	 * @param caller the method or place that asked for the lock, may be empty
	 * @param since when the lock was granted, by the store's clock
	 */
	public Holder(String application, String host, String instance, String thread, String caller, Instant since) {
		this(application, host, instance, thread, caller, since, "");
	}

	/**
	 * Describes a hold that the store keeps after this holder has released it.
	 * @return the same holder without its thread, with a caller text that says that the
	 * lock has no holder any more
	 */
	public Holder released() {
		String former = this.caller.isEmpty() ? "" : this.caller + " ";
		return new Holder(this.application, this.host, this.instance, "",
				former + "(released, kept for its minimum hold)", this.since, this.trace);
	}

	/**
	 * Returns the id of the trace in which the lock was asked for.
	 * @return the first part of {@link #trace()}, empty without tracing
	 */
	public String traceId() {
		int end = this.trace.indexOf('-');
		return (end >= 0) ? this.trace.substring(0, end) : this.trace;
	}

	/**
	 * Describes the holder in one phrase for a message.
	 * @param now the moment to count the age from
	 * @return for instance
	 * {@code shop@pod-7 (instance 3f2a…), OrderService.pay, thread 'http-1', since 2026-01-01T10:00:00Z (12.3 s)}
	 */
	public String describe(Instant now) {
		StringBuilder text = new StringBuilder();
		text.append(this.application)
			.append('@')
			.append(this.host)
			.append(" (instance ")
			.append(this.instance)
			.append(')');
		if (!this.caller.isEmpty()) {
			text.append(", ").append(this.caller);
		}
		if (!this.thread.isEmpty()) {
			text.append(", thread '").append(this.thread).append('\'');
		}
		long tenths = Math.max(0, Duration.between(this.since, now).toMillis() / 100);
		text.append(", since ").append(this.since);
		text.append(" (").append(tenths / 10).append('.').append(tenths % 10).append(" s)");
		if (!this.trace.isEmpty()) {
			text.append(", trace ").append(traceId());
		}
		return text.toString();
	}

}
