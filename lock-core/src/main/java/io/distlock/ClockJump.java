package io.distlock;

import java.time.Duration;

/**
 * Reports that the wall clock and the monotonic clock of this machine moved by different
 * amounts. Leases therefore end at other times than the wall clock shows.
 *
 * @param store the id of the store whose locks depend on the clock
 * @param by how far the wall clock jumped; negative if it jumped back
 */
public record ClockJump(String store, Duration by) {

	/**
	 * Describes the jump in one sentence for a message.
	 * @return a sentence with the jump and the reaction of the library
	 */
	public String describe() {
		if (this.by.isNegative()) {
			return "The wall clock of this machine was set back by " + this.by.negated().toMillis()
					+ " ms; locks do not depend on it";
		}
		return "The wall clock of this machine went " + this.by.toMillis() + " ms further than its monotonic clock: "
				+ "it was suspended, or its clock was set. Locks whose lease is over by the wall clock are lost, "
				+ "the others are renewed at once";
	}

}
