package io.distlock.records.state;

import io.distlock.spi.FinishResult;

/**
 * The last request of an instance that ended.
 *
 * @param number the number of the request
 * @param result the result of the command that ended the request
 * @param at the time of the end, by the store's clock in milliseconds
 * @param newsUntil the end of the lease by the store's clock, if the hold was released by
 * force and its process may not know yet; otherwise 0
 */
record EndedRequest(long number, FinishResult result, long at, long newsUntil) {

	EndedRequest(long number, FinishResult result, long at) {
		this(number, result, at, 0);
	}

	/** Returns whether the store may forget this request. */
	boolean isForgettable(long now, long keepMillis) {
		return now - this.at > keepMillis && !isNews(now);
	}

	/**
	 * Returns whether the process may not know yet that its hold was released by force.
	 */
	boolean isNews(long now) {
		return this.newsUntil > now;
	}

}
