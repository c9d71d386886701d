package io.distlock.redis.simulation;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** What goes wrong, and how often. */
enum Scenario {

	/** Nothing. Nobody waits long for a free lock. */
	CLEAN(true, true, 60, Map.of()),

	/** Commands, answers and messages get lost. */
	LOSSY(true, true, 7200, Map.of(Fault.LOST, 0.08, Fault.DOUBLED, 0.08, Fault.LOST_MESSAGE, 0.3, Fault.BROKEN, 0.01)),

	/** Most commands are executed twice, and hardly anybody waits. */
	TRYDUP(true, true, 1000, Map.of(Fault.DOUBLED, 0.7)),

	/** All that a bad network does, and some crashes. */
	NET(true, true, 0,
			Map.of(Fault.LOST, 0.02, Fault.LOST_MESSAGE, 0.1, Fault.DOUBLED, 0.05, Fault.SLOW, 0.03, Fault.OVERTAKEN,
					0.05, Fault.BROKEN, 0.01, Fault.CRASH, 4000.0, Fault.FREEZE, 3000.0, Fault.STALL, 5000.0,
					Fault.NO_SCRIPT, 5000.0)),

	/** The same, worse. */
	HOSTILE(true, true, 0,
			Map.of(Fault.LOST, 0.06, Fault.LOST_MESSAGE, 0.3, Fault.DOUBLED, 0.08, Fault.DOUBLED_LATE, 0.08, Fault.SLOW,
					0.1, Fault.OVERTAKEN, 0.15, Fault.CRASH, 1500.0, Fault.FREEZE, 1200.0, Fault.STALL, 2500.0,
					Fault.DEAF, 2500.0)),

	/** Processes stop for long, and half of everything is slow. */
	FREEZE(true, true, 0, Map.of(Fault.FREEZE, 700.0, Fault.SLOW, 0.5, Fault.OVERTAKEN, 0.1)),

	/** No message ever arrives. */
	NOPUB(true, true, 700, Map.of(Fault.LOST_MESSAGE, 1.0)),

	/** Another client publishes made-up and changed messages. */
	FORGED(true, true, 0,
			Map.of(Fault.FORGED, 0.7, Fault.LOST, 0.02, Fault.DOUBLED, 0.05, Fault.SLOW, 0.05, Fault.FREEZE, 3000.0)),

	/** Operators release locks by force, while messages get lost and processes stop. */
	FORCED(true, true, 0,
			Map.of(Fault.FORCED_RELEASE, 250.0, Fault.LOST, 0.02, Fault.LOST_MESSAGE, 0.2, Fault.DOUBLED, 0.05,
					Fault.DOUBLED_LATE, 0.05, Fault.SLOW, 0.05, Fault.FREEZE, 3000.0, Fault.FORGED, 0.1)),

	/** Acquires do not say when they are void, and copies of them come late. */
	NONOTAFTER(true, true, 0,
			Map.of(Fault.LOST, 0.05, Fault.DOUBLED, 0.05, Fault.DOUBLED_LATE, 0.2, Fault.OVERTAKEN, 0.1, Fault.FREEZE,
					3000.0, Fault.CRASH, 5000.0)),

	/** The server's clock jumps. */
	CLOCK(false, false, 0,
			Map.of(Fault.CLOCK_STEP, 800.0, Fault.LOST, 0.02, Fault.DOUBLED, 0.05, Fault.SLOW, 0.03, Fault.FREEZE,
					4000.0)),

	/** The server's clock goes back. */
	BIGBACK(true, false, 0,
			Map.of(Fault.BIG_STEP_BACK, 5000.0, Fault.LOST, 0.02, Fault.DOUBLED, 0.05, Fault.CRASH, 12_000.0)),

	/** Locks are deleted under their holders. */
	EVICT(false, false, 0,
			Map.of(Fault.DELETED, 1500.0, Fault.LOST, 0.02, Fault.DOUBLED, 0.05, Fault.SLOW, 0.05, Fault.FREEZE,
					4000.0)),

	/** The server loses all, again and again. */
	AMNESIA(false, false, 0,
			Map.of(Fault.EMPTIED, 2500.0, Fault.LOST, 0.02, Fault.DOUBLED, 0.05, Fault.SLOW, 0.05, Fault.CRASH, 5000.0,
					Fault.FREEZE, 5000.0)),

	/** Operators release locks by force, and nothing else goes wrong. */
	TOLD(true, true, 0, Map.of(Fault.FORCED_RELEASE, 200.0)),

	/**
	 * Callers send their commands themselves, after they have left the monitor of the key
	 * and so in any order, and give up when the client does.
	 */
	DIRECT(true, true, 0,
			Map.of(Fault.LOST, 0.03, Fault.DOUBLED, 0.03, Fault.SLOW, 0.05, Fault.LOST_MESSAGE, 0.1, Fault.STALL,
					3000.0, Fault.FREEZE, 3000.0, Fault.CRASH, 5000.0, Fault.NO_SCRIPT, 1500.0)),

	/**
	 * Other servers become the master without the last writes, and grant nothing for as
	 * long as a lease lasts.
	 */
	FAILOVER(true, false, 0, Map.of(Fault.FAILOVER, 2500.0, Fault.LOST, 0.02, Fault.DOUBLED, 0.05, Fault.DOUBLED_LATE,
			0.05, Fault.SLOW, 0.03, Fault.FREEZE, 4000.0, Fault.CRASH, 5000.0));

	private final boolean exclusive;

	private final boolean steady;

	private final long idleMillis;

	private final Map<Fault, Double> rates;

	Scenario(boolean exclusive, boolean steady, long idleMillis, Map<Fault, Double> rates) {
		this.exclusive = exclusive;
		this.steady = steady;
		this.idleMillis = idleMillis;
		this.rates = rates;
	}

	/** Whether mutual exclusion is promised. */
	boolean exclusive() {
		return this.exclusive;
	}

	/** Whether the server keeps its data and its clock. */
	boolean steady() {
		return this.steady;
	}

	/**
	 * How long a lock may stay without a believer, in milliseconds, while somebody waits
	 * and nobody is granted it; 0 if there is no bound before the faults end.
	 */
	long idleMillis() {
		return this.idleMillis;
	}

	/** A probability, or the mean milliseconds from one to the next; 0 for never. */
	double rate(Fault fault) {
		return this.rates.getOrDefault(fault, 0.0);
	}

	/** Whether each command is executed at once, and nobody stops. */
	boolean prompt() {
		return this == CLEAN || this == TRYDUP || this == NOPUB;
	}

	/** Whether who is released by force learns so at once. */
	boolean tellsAtOnce() {
		return this == TOLD;
	}

	/** Whether callers send their commands themselves. */
	boolean direct() {
		return this == DIRECT;
	}

	/** For how long a new master grants no lock. */
	Duration failoverDelay() {
		return (this == FAILOVER) ? Node.LEASE : Duration.ZERO;
	}

	/** Whether hardly anybody waits. */
	boolean hasty() {
		return this == TRYDUP;
	}

	static Scenario named(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
