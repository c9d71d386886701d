package io.distlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Reports a lock that is held for longer than its body should take.
 *
 * @param store the id of the store
 * @param name the request's name for its group of locks, may be empty
 * @param key the lock
 * @param fencingToken token of the hold
 * @param acquiredAt when it was acquired, by this machine's wall clock
 * @param maxHold the expected maximum
 * @param thread name of the thread that acquired it, {@code async} if it was acquired
 * asynchronously
 * @param caller the method or place that asked for it, may be empty
 * @param stackTrace the current stack trace of that thread; empty if no thread owns the
 * lock
 */
public record LockOverrun(String store, String name, String key, long fencingToken, Instant acquiredAt,
		Duration maxHold, String thread, String caller, List<StackTraceElement> stackTrace) {

	/**
	 * Creates a report with names that are fit for messages, and a copy of the stack
	 * trace.
	 * @param store the id of the store
	 * @param name the request's name for its group of locks
	 * @param key the lock
	 * @param fencingToken token of the hold
	 * @param acquiredAt when the lock was acquired
	 * @param maxHold the expected maximum
	 * @param thread name of the thread
	 * @param caller the method or place that asked for the lock
	 * @param stackTrace the current stack trace of the thread
	 */
	public LockOverrun {
		thread = ForeignText.of(thread);
		caller = ForeignText.of(caller);
		stackTrace = List.copyOf(stackTrace);
	}

	/**
	 * Describes the overrun in one sentence for a message, with the stack trace.
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

	@Override
	public String toString() {
		return "LockOverrun[store=" + ForeignText.of(this.store) + ", name=" + ForeignText.of(this.name) + ", key="
				+ KeyText.of(this.key) + ", fencingToken=" + this.fencingToken + ", acquiredAt=" + this.acquiredAt
				+ ", maxHold=" + this.maxHold + ", thread=" + this.thread + ", caller=" + this.caller + "]";
	}

}
