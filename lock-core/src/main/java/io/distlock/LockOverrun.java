package io.distlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.distlock.text.DurationText;
import io.distlock.text.KeyText;

/**
 * A lock that is held for longer than its body should take.
 *
 * @param key the lock
 * @param fencingToken token of the hold
 * @param acquiredAt when it was acquired, by this machine's wall clock
 * @param maxHold how long it should have been held at the most
 * @param thread name of the thread that acquired it, {@code async} if none did
 * @param caller the method or place that asked for it, may be empty
 * @param stackTrace what that thread does right now; empty if no thread owns the lock
 */
public record LockOverrun(String key, long fencingToken, Instant acquiredAt, Duration maxHold, String thread,
		String caller, List<StackTraceElement> stackTrace) {

	/** Copies the stack trace. */
	public LockOverrun {
		stackTrace = List.copyOf(stackTrace);
	}

	/**
	 * One sentence for a message, with the stack trace.
	 * @return several lines
	 */
	public String describe() {
		StringBuilder text = new StringBuilder();
		text.append("Lock '")
			.append(KeyText.of(this.key))
			.append("' is held for more than ")
			.append(DurationText.of(this.maxHold))
			.append(" (max hold) by ")
			.append(this.caller.isEmpty() ? "" : this.caller + ", ")
			.append("thread '")
			.append(this.thread)
			.append("', since ")
			.append(this.acquiredAt)
			.append("; it is renewed for as long as it is held");
		this.stackTrace.forEach((frame) -> text.append(System.lineSeparator()).append("\tat ").append(frame));
		return text.toString();
	}

}
