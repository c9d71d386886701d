package io.distlock.records;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.records.state.LockState;
import io.distlock.records.state.StateRules;

/**
 * Reports, once, that processes with different guards share locks. That is safe, since a
 * record keeps the longest guard, but nobody has meant it.
 */
final class GuardCheck {

	private static final Logger logger = LoggerFactory.getLogger(GuardCheck.class);

	private final AtomicBoolean reported = new AtomicBoolean();

	private final LockRecords records;

	private final StateRules rules;

	GuardCheck(LockRecords records, StateRules rules) {
		this.records = records;
		this.rules = rules;
	}

	/** A record was read. */
	void check(LockState state) {
		OptionalLong other = state.otherGuardMillis();
		if (other.isPresent() && this.rules.ends() == StateRules.Ends.BY_CLOCK
				&& this.reported.compareAndSet(false, true)) {
			logger.warn(
					"Another process uses the locks in {} with a guard of {} ms, and this one has {} ms. "
							+ "Each lock is kept for the longer one after a lease has ended. "
							+ "Set the same guard in all processes",
					this.records.describe(), other.getAsLong(), this.rules.guardMillis());
		}
	}

}
