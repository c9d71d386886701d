package io.distlock.records;

import java.util.Optional;

import io.distlock.records.place.LockRecords.Seen;

/**
 * Remembers for this process the record of one lock. Only the change that is under way
 * uses it. If no change is under way, {@link CommandQueue#atRest} may use it, because no
 * change begins meanwhile. If a turn got lost, the next turn goes on with a copy, so a
 * change of the lost turn cannot disturb it.
 * <p>
 * This memory only saves reads. No answer comes from it.
 */
final class LastKnownRecord {

	/** The record as this process left or read it; empty unless it names this process. */
	private Optional<Seen> known = Optional.empty();

	/** Whether a write of this process may still be executed. */
	private volatile boolean uncertain;

	/** Whether requests waited when the record was last computed. */
	private boolean awaited;

	/** Whether a command has used this memory since the last look. */
	private boolean used = true;

	/**
	 * The highest token floor of all writes of this pipeline that expected a free lock.
	 */
	private volatile long takeFloor;

	/**
	 * Returns the memory of the turn that follows a lost turn. If a write of the lost
	 * turn may still be executed, the next write supersedes it.
	 */
	LastKnownRecord afterLostTurn() {
		LastKnownRecord next = new LastKnownRecord();
		next.uncertain = this.uncertain;
		next.takeFloor = this.takeFloor;
		return next;
	}

	Optional<Seen> known() {
		return this.known;
	}

	void know(Optional<Seen> seen) {
		this.known = seen;
		this.used = true;
	}

	void forget() {
		this.known = Optional.empty();
	}

	boolean isUncertain() {
		return this.uncertain;
	}

	void setUncertain(boolean uncertain) {
		this.uncertain = uncertain;
	}

	boolean isAwaited() {
		return this.awaited;
	}

	void setAwaited(boolean awaited) {
		this.awaited = awaited;
	}

	/** Notes that the lock is about to be taken with this token floor. */
	void taking(long tokenFloor) {
		this.takeFloor = Math.max(this.takeFloor, tokenFloor);
	}

	long takeFloor() {
		return this.takeFloor;
	}

	/**
	 * Returns whether no command has used this memory since the last call. An uncertain
	 * write is remembered until it is superseded.
	 */
	boolean isUnused() {
		boolean unused = !this.used && !this.uncertain;
		this.used = false;
		return unused;
	}

	/** Whether nothing needs to be remembered. */
	boolean isEmpty() {
		return this.known.isEmpty() && !this.uncertain;
	}

}
