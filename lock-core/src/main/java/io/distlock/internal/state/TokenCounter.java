package io.distlock.internal.state;

import java.util.ArrayList;
import java.util.List;

/** The fencing tokens of one lock: each grant gets higher ones than all before. */
final class TokenCounter {

	private final List<ReservedTokens> withoutNumber = new ArrayList<>();

	private long highest;

	private long waiting;

	long highest() {
		return this.highest;
	}

	/** How many tokens have been reserved that have no number yet. */
	long waiting() {
		return this.waiting;
	}

	void raise(long least) {
		this.highest = Math.max(this.highest, least);
	}

	/**
	 * Reserves tokens.
	 * @param count how many
	 * @param stamp the lowest allowed one, or 0 if it is not known yet
	 */
	ReservedTokens reserve(int count, long stamp) {
		if (stamp == 0) {
			ReservedTokens following = ReservedTokens.following(this.waiting, count);
			await(following);
			this.waiting += count;
			return following;
		}
		long first = Math.max(this.highest + 1, stamp);
		this.highest = first + count - 1;
		return ReservedTokens.numbered(first, count);
	}

	/** Reads tokens that were stored before they had numbers. */
	void await(ReservedTokens stored) {
		this.withoutNumber.add(stored);
	}

	void waiting(long count) {
		this.waiting = count;
	}

	/** Numbers those without a number, now that the stamp of their change is known. */
	void number(long stamp) {
		if (this.waiting > 0) {
			long first = Math.max(this.highest + 1, stamp);
			this.withoutNumber.forEach((tokens) -> tokens.number(first));
			this.withoutNumber.clear();
			this.highest = first + this.waiting - 1;
			this.waiting = 0;
		}
	}

}
