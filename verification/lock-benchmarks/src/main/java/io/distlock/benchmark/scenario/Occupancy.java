package io.distlock.benchmark.scenario;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts who is inside, and whether somebody was who may not have been. */
final class Occupancy {

	private static final int WRITER = 1 << 20;

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger violations = new AtomicInteger();

	private final int limit;

	private Occupancy(int limit) {
		this.limit = limit;
	}

	/** Of one who is alone, or any number of others. */
	static Occupancy ofReadersAndWriters() {
		return new Occupancy(WRITER - 1);
	}

	static Occupancy ofPermits(int permits) {
		return new Occupancy(permits);
	}

	Runnable enter(boolean alone) {
		int weight = alone ? WRITER : 1;
		int now = this.inside.addAndGet(weight);
		if (alone ? now != WRITER : now > this.limit) {
			this.violations.incrementAndGet();
		}
		return () -> this.inside.addAndGet(-weight);
	}

	int violations() {
		return this.violations.get();
	}

}
