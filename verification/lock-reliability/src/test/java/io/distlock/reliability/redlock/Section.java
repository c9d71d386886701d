package io.distlock.reliability.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockHandle;

/** What only one may be in, and which sees whether that is so. */
final class Section {

	private final List<String> violations = new ArrayList<>();

	private final List<LockHandle> inside = new ArrayList<>();

	private final AtomicInteger retries = new AtomicInteger();

	private final AtomicInteger losses = new AtomicInteger();

	private long highestToken;

	private int passed;

	/** Goes in and out, for as long as a real body would take at the least. */
	void pass(LockHandle handle) {
		enter(handle);
		Thread.yield();
		leave(handle);
	}

	private synchronized void enter(LockHandle handle) {
		this.passed++;
		for (LockHandle other : this.inside) {
			// Asked in this order, so that both are true at the moment of the second.
			if (handle.isHeld() && other.isHeld()) {
				this.violations
					.add("Tokens " + other.fencingToken() + " and " + handle.fencingToken() + " are both held");
			}
		}
		if (handle.isHeld() && handle.fencingToken() <= this.highestToken) {
			this.violations.add("Token " + handle.fencingToken() + " came after " + this.highestToken);
		}
		this.highestToken = Math.max(this.highestToken, handle.fencingToken());
		this.inside.add(handle);
	}

	private synchronized void leave(LockHandle handle) {
		this.inside.remove(handle);
	}

	void retried() {
		this.retries.incrementAndGet();
	}

	void lost() {
		this.losses.incrementAndGet();
	}

	synchronized List<String> violations() {
		return List.copyOf(this.violations);
	}

	@Override
	public synchronized String toString() {
		return this.passed + " held, " + this.violations.size() + " violations, " + this.retries
				+ " failed or timed out and were repeated, " + this.losses + " lost and told";
	}

}
