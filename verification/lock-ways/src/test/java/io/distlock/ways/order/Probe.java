package io.distlock.ways.order;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.distlock.LockContext;

/** Remembers whether advice ran under the lock of the method that it surrounds. */
public class Probe {

	private final Map<String, Boolean> seen = new ConcurrentHashMap<>();

	/**
	 * Called by advice, for instance in one of its expressions.
	 * @param advice which one
	 * @return {@code true}, for expressions that permit something
	 */
	public boolean seen(String advice) {
		this.seen.put(advice, LockContext.current().isPresent());
		return true;
	}

	/**
	 * Called by a key.
	 * @return the name of the thread that takes the lock
	 */
	public String thread() {
		return Thread.currentThread().getName();
	}

	/** Whether the advice ran under the lock. */
	boolean isInside(String advice) {
		Boolean inside = this.seen.get(advice);
		if (inside == null) {
			throw new AssertionError(advice + " did not run");
		}
		return inside;
	}

}
