package io.distlock.internal;

import java.util.List;

/**
 * Who takes part and how much may go wrong.
 *
 * @param name for messages
 * @param instances the callers of each process
 * @param rounds how often each caller acquires and releases
 * @param faults how many faults, delays, timeouts and interrupts a schedule may have
 * @param tokens how many fencing tokens the store reserves at once, at most
 */
record ModelPlan(String name, List<List<Caller>> instances, int rounds, int faults, int tokens) {

	/** Longer than any schedule. */
	static final long PATIENT = 3_600_000;

	/** Long enough for a poll or two. */
	static final long SHORT = 700;

	/** Takes the first answer. */
	static final long NOT_AT_ALL = 0;

	ModelPlan(String name, List<List<Caller>> instances, int rounds, int faults) {
		this(name, instances, rounds, faults, Integer.MAX_VALUE);
	}

	@Override
	public String toString() {
		return this.name + ", " + this.faults + " faults";
	}

	/**
	 * A caller.
	 *
	 * @param waitMillis how long it waits
	 * @param async whether it waits without a thread
	 * @param shared whether it wants the lock together with others
	 */
	record Caller(long waitMillis, boolean async, boolean shared) {

		Caller(long waitMillis, boolean async) {
			this(waitMillis, async, false);
		}

		/** The same, together with others. */
		Caller reading() {
			return new Caller(this.waitMillis, this.async, true);
		}

	}

}
