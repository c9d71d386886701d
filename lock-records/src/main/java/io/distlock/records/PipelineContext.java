package io.distlock.records;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.distlock.records.place.LockRecords;
import io.distlock.records.state.StateRules;

/**
 * What all pipelines of a started store share.
 *
 * @param records the place
 * @param rules the rules of the state machine
 * @param engine the engine of this process
 * @param scheduler runs what comes later
 * @param ended what has ended, so that a repetition gets the same answer
 * @param clock the monotonic clock of this machine, in nanoseconds
 * @param random between 0 and 1
 * @param settings times
 */
record PipelineContext(LockRecords records, StateRules rules, String engine, Scheduler scheduler, EndedRequests ended,
		LongSupplier clock, DoubleSupplier random, RecordSettings settings) {

	private static final int PROMPT_PART = 10;

	long nanoTime() {
		return this.clock.getAsLong();
	}

	/** When a command is late that begins now. */
	long deadline() {
		return nanoTime() + this.settings.commandTimeout().toNanos();
	}

	/**
	 * Whether leases end by the store's clock. Writes are then valid for a limited time
	 * only.
	 */
	boolean isTimed() {
		return this.rules.byClock();
	}

	long graceMillis() {
		return this.settings.graceAfterLease().toMillis();
	}

	/** An answer within this time leaves a caller the time for another one. */
	long promptNanos() {
		return this.settings.commandTimeout().toNanos() / PROMPT_PART;
	}

}
