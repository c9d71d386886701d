package io.distlock.records;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.distlock.records.place.LockRecords;
import io.distlock.records.state.StateRules;

/**
 * Holds what all pipelines of a started store share.
 *
 * @param records the place
 * @param rules the rules of the state machine
 * @param engine the engine of this process
 * @param scheduler runs delayed actions
 * @param ended the ended requests, so that a repetition gets the same answer
 * @param clock the monotonic clock of this machine, in nanoseconds
 * @param random returns numbers between 0 and 1
 * @param settings the times of the store
 */
record PipelineContext(LockRecords records, StateRules rules, String engine, Scheduler scheduler, EndedRequests ended,
		LongSupplier clock, DoubleSupplier random, RecordSettings settings) {

	private static final int PROMPT_PART = 10;

	long nanoTime() {
		return this.clock.getAsLong();
	}

	/** Returns the deadline of a command that begins now. */
	long deadline() {
		return nanoTime() + this.settings.commandTimeout().toNanos();
	}

	/**
	 * Returns whether leases end by the store's clock. If so, each write is valid only
	 * for a limited time.
	 */
	boolean isTimed() {
		return this.rules.byClock();
	}

	long graceMillis() {
		return this.settings.graceAfterLease().toMillis();
	}

	/**
	 * Returns the time within which an answer leaves a caller enough time for a second
	 * command.
	 */
	long promptNanos() {
		return this.settings.commandTimeout().toNanos() / PROMPT_PART;
	}

}
