package io.distlock.records.state;

/**
 * Consecutive fencing tokens of one hold. They get their numbers when they are reserved,
 * or later, when the change that reserves them has been stored.
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

	/** The first of them comes so many tokens after the first one of the change. */
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
	 * Whether the tokens have numbers.
	 * @return {@code false} until their change is stored
	 */
	public boolean isNumbered() {
		return this.numbered;
	}

	/**
	 * Returns the first token.
	 * @return its number, or its offset from the first one of the change as long as there
	 * is no number
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
