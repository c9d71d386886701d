package io.distlock.operations;

import java.time.Duration;

import io.distlock.support.KeyText;

/**
 * A caller of this process that waits for a lock.
 *
 * @param key the lock
 * @param kind how the caller wants to hold the lock
 * @param thread name of the waiting thread, {@code async} if no thread waits
 * @param caller the method or place that asks for it, may be empty
 * @param waited for how long it has waited
 * @param remaining for how long it will still wait
 */
public record WaitingCaller(String key, LockKind kind, String thread, String caller, Duration waited,
		Duration remaining) {

	@Override
	public String toString() {
		return "WaitingCaller[key=" + KeyText.of(this.key) + ", kind=" + this.kind + ", thread=" + this.thread
				+ ", caller=" + this.caller + ", waited=" + this.waited + ", remaining=" + this.remaining + "]";
	}

}
