package io.distlock.spi;

/**
 * A hold as the store sees it. Times are those of the store's clock. The engine uses only
 * their difference.
 *
 * @param fencingToken first token of the hold, strictly increasing in grant order
 * @param tokens how many consecutive tokens are reserved, beginning with that one
 * @param expiresAt when the lease ends, in milliseconds of the store's clock
 * @param storeTime the store's clock when the store answered, in milliseconds
 * @param session the session with which the hold ends, whatever its lease
 */
public record Grant(long fencingToken, int tokens, long expiresAt, long storeTime, StoreSession session) {

	/**
	 * Creates a grant of a hold that depends on no session.
	 * @param fencingToken first token of the hold
	 * @param tokens how many consecutive tokens are reserved, beginning with that one
	 * @param expiresAt when the lease ends
	 * @param storeTime the store's clock when the store answered
	 */
	public Grant(long fencingToken, int tokens, long expiresAt, long storeTime) {
		this(fencingToken, tokens, expiresAt, storeTime, StoreSession.NONE);
	}

	/**
	 * Returns what was left of the lease when the store answered.
	 * @return milliseconds
	 */
	public long remainingMillis() {
		return this.expiresAt - this.storeTime;
	}

}
