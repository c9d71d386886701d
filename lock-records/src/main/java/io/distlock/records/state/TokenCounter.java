package io.distlock.records.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts the fencing tokens of one lock. Each grant gets higher tokens than all grants
 * before.
 */
final class TokenCounter {

	private final List<ReservedTokens> withoutNumber = new ArrayList<>();

	private long highest;

	/** The number of reserved tokens that have no number yet. */
	private long unnumbered;

	long highest() {
		return this.highest;
	}

	/** Returns how many reserved tokens have no number yet. */
	long unnumbered() {
		return this.unnumbered;
	}

	void raise(long least) {
		this.highest = Math.max(this.highest, least);
	}

	/**
	 * Reserves tokens.
	 * @param count how many
	 * @param tokenFloor the lowest allowed token, or 0 if it is not known yet
	 */
	ReservedTokens reserve(int count, long tokenFloor) {
		if (tokenFloor == 0) {
			ReservedTokens following = ReservedTokens.following(this.unnumbered, count);
			addUnnumbered(following);
			this.unnumbered += count;
			return following;
		}
		long first = Math.max(this.highest + 1, tokenFloor);
		this.highest = first + count - 1;
		return ReservedTokens.numbered(first, count);
	}

	/** Adds tokens that get their numbers with the next token floor. */
	void addUnnumbered(ReservedTokens stored) {
		this.withoutNumber.add(stored);
	}

	/** Restores the number of reserved tokens without a number. */
	void restoreUnnumbered(long count) {
		this.unnumbered = count;
	}

	/**
	 * Gives numbers to the tokens without a number, once the token floor of their change
	 * is known.
	 */
	void number(long tokenFloor) {
		if (this.unnumbered > 0) {
			long first = Math.max(this.highest + 1, tokenFloor);
			this.withoutNumber.forEach((tokens) -> tokens.number(first));
			this.withoutNumber.clear();
			this.highest = first + this.unnumbered - 1;
			this.unnumbered = 0;
		}
	}

}
