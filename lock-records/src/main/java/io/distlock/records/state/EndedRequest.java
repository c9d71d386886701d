package io.distlock.records.state;

import io.distlock.spi.FinishResult;

/**
 * The last request of an instance that ended.
 *
 * @param number its number
 * @param result what was ended
 * @param at when, by the store's clock in milliseconds
 * @param newsUntil until when the process may still have to learn that its hold was
 * released by force: the end of that lease, by the store's clock; otherwise 0
 */
record EndedRequest(long number, FinishResult result, long at, long newsUntil) {

	EndedRequest(long number, FinishResult result, long at) {
		this(number, result, at, 0);
	}

	/** Whether it may be forgotten. */
	boolean isForgettable(long now, long keepMillis) {
		return now - this.at > keepMillis && !isNews(now);
	}

	/**
	 * Whether its process may still have to learn that its hold was released by force.
	 */
	boolean isNews(long now) {
		return this.newsUntil > now;
	}

}
