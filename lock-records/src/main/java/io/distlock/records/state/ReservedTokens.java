package io.distlock.records.state;

/**
 * The consecutive fencing tokens of one hold. They get their numbers at the reservation,
 * or later, after the change with the reservation is stored.
 */
public final class ReservedTokens {

	private final int count;

	private boolean numbered;

	private long first;

	private ReservedTokens(long first, int count, boolean numbered) {
		this.first = first;
		this.count = count;
		this.numbered = numbered;
	}

	static ReservedTokens numbered(long first, int count) {
		return new ReservedTokens(first, count, true);
	}

	/**
	 * Reserves tokens without numbers. The offset is the distance of the first token from
	 * the first token of the change.
	 */
	static ReservedTokens following(long offset, int count) {
		return new ReservedTokens(offset, count, false);
	}

	void number(long firstOfChange) {
		if (!this.numbered) {
			this.first += firstOfChange;
			this.numbered = true;
		}
	}

	/**
	 * Returns whether the tokens have numbers.
	 * @return {@code false} for tokens without numbers, until their change is stored
	 */
	public boolean isNumbered() {
		return this.numbered;
	}

	/**
	 * Returns the first token.
	 * @return the number of the first token, or without a number its offset from the
	 * first token of the change
	 */
	public long first() {
		return this.first;
	}

	/**
	 * Returns how many tokens there are.
	 * @return at least 1
	 */
	public int count() {
		return this.count;
	}

}
