package io.distlock.internal.key;

import io.distlock.spi.Grant;

/**
 * Consecutive fencing tokens that the store reserved for this process, one for each hold.
 */
final class TokenBlock {

	/**
	 * Size of the first block of a lease. Tokens follow the clock in microseconds, so
	 * this size times the grants in a second must stay below a million.
	 */
	static final int FIRST = 64;

	/**
	 * Size of further blocks while no other process waits, and of the first block after a
	 * lease that ran out of tokens: virtual threads hand a lock on thousands of times in
	 * a round trip.
	 */
	static final int MORE = 4096;

	private final long first;

	private final int size;

	private int taken;

	TokenBlock(Grant grant) {
		this.first = grant.fencingToken();
		this.size = grant.tokens();
	}

	long take() {
		// mutant: token-twice
		return this.first + this.taken++;
	}

	/** Whether a grant reserves tokens that are not in this block. */
	boolean isOlderThan(Grant grant) {
		return grant.fencingToken() >= this.first + this.taken;
	}

	boolean isEmpty() {
		return left() == 0;
	}

	/** Whether half of the tokens are gone, or more threads wait than tokens are left. */
	boolean isLow(int waiting) {
		return left() <= Math.max(this.size / 2, Math.min(waiting, MORE / 2));
	}

	private int left() {
		return this.size - this.taken;
	}

}
