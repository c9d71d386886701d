package io.distlock.redis.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** True time, and what is to happen when. Time passes only from one event to the next. */
final class Schedule {

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::moment).thenComparingLong(Event::number));

	private long now;

	private long number;

	/** Nanoseconds since the beginning. */
	long now() {
		return this.now;
	}

	void at(long moment, Runnable action) {
		this.events.add(new Event(Math.max(moment, this.now), this.number++, action));
	}

	void in(long nanos, Runnable action) {
		at(this.now + nanos, action);
	}

	/**
	 * Lets the next event happen.
	 * @param end the end of time
	 * @return whether there was one before
	 */
	boolean step(long end) {
		Event next = this.events.peek();
		if (next == null || next.moment() > end) {
			this.now = end;
			return false;
		}
		this.events.remove();
		this.now = next.moment();
		next.action().run();
		return true;
	}

	private record Event(long moment, long number, Runnable action) {
	}

}
