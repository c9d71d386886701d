package io.distlock.internal;

import java.time.Duration;
import java.util.List;

import io.distlock.spi.Sharing;

/**
 * Who takes part and how much may go wrong.
 *
 * @param name for messages
 * @param instances the callers of each process
 * @param rounds how often each caller acquires and releases
 * @param faults how many faults, delays, timeouts and interrupts a schedule may have
 * @param tokens how many fencing tokens the store reserves at once, at most
 * @param forced how often an operator may release the lock by force
 */
record ModelPlan(String name, List<List<Caller>> instances, int rounds, int faults, int tokens, int forced) {

	/** Longer than any schedule. */
	static final long PATIENT = 3_600_000;

	/** Long enough for a poll or two. */
	static final long SHORT = 700;

	/** Takes the first answer. */
	static final long NOT_AT_ALL = 0;

	ModelPlan(String name, List<List<Caller>> instances, int rounds, int faults) {
		this(name, instances, rounds, faults, Integer.MAX_VALUE);
	}

	ModelPlan(String name, List<List<Caller>> instances, int rounds, int faults, int tokens) {
		this(name, instances, rounds, faults, tokens, 0);
	}

	/** The same, with an operator who may release the lock by force once. */
	ModelPlan withForce() {
		return new ModelPlan(this.name, this.instances, this.rounds, this.faults, this.tokens, 1);
	}

	/** How many permits there are; 0 for a lock. */
	int permits() {
		Sharing sharing = this.instances.get(0).get(0).sharing();
		return (sharing instanceof Sharing.Permit permit) ? permit.of() : 0;
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
	 * @param sharing with whom it wants the lock
	 * @param minHold how long the lock stays taken at least
	 * @param extension for how long it may extend its hold, zero if it does not
	 * @param readsOn whether it acquires its hold shared too, which may outlive the
	 * exclusive acquisition
	 * @param direct whether it executes itself what it waits for
	 */
	record Caller(long waitMillis, boolean async, Sharing sharing, Duration minHold, Duration extension,
			boolean readsOn, boolean direct) {

		Caller(long waitMillis, boolean async) {
			this(waitMillis, async, Sharing.EXCLUSIVE, Duration.ZERO, Duration.ZERO, false, false);
		}

		/** The same, together with others. */
		Caller reading() {
			return new Caller(this.waitMillis, this.async, Sharing.SHARED, this.minHold, this.extension, this.readsOn,
					this.direct);
		}

		/** The same, for one of so many permits. */
		Caller permit(int permits) {
			return new Caller(this.waitMillis, this.async, new Sharing.Permit(permits), this.minHold, this.extension,
					this.readsOn, this.direct);
		}

		/** The same, with a minimum hold. */
		Caller keeping(Duration time) {
			return new Caller(this.waitMillis, this.async, this.sharing, time, this.extension, this.readsOn,
					this.direct);
		}

		/** The same, and it may read too, also after it has stopped writing. */
		Caller readingOn() {
			return new Caller(this.waitMillis, this.async, this.sharing, this.minHold, this.extension, true,
					this.direct);
		}

		/** The same, and it executes itself what it waits for. */
		Caller itself() {
			return new Caller(this.waitMillis, this.async, this.sharing, this.minHold, this.extension, this.readsOn,
					true);
		}

		/** The same, and it may extend its hold once. */
		Caller extending(Duration time) {
			return new Caller(this.waitMillis, this.async, this.sharing, this.minHold, time, this.readsOn, this.direct);
		}

	}

}
