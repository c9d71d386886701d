package io.distlock.records.state;

import io.distlock.spi.FinishResult;
import io.distlock.spi.ReleaseOrder;
import org.jspecify.annotations.Nullable;

/**
 * The last request of an instance that ended.
 *
 * @param number its number
 * @param result what was ended
 * @param at when, by the store's clock in milliseconds
 * @param force there if its hold was released by force and its process may not know yet
 */
record EndedRequest(long number, FinishResult result, long at, @Nullable Force force) {

	EndedRequest(long number, FinishResult result, long at) {
		this(number, result, at, null);
	}

	/** Whether it may be forgotten. */
	boolean isForgettable(long now, long keepMillis) {
		return now - this.at > keepMillis && !isNews(now);
	}

	/** Whether its process may still have to learn who ended its hold. */
	boolean isNews(long now) {
		return this.force != null && this.force.until() > now;
	}

	/**
	 * Who ended a hold by force.
	 *
	 * @param order who, and why
	 * @param until when the lease would have ended, by the store's clock in milliseconds
	 */
	record Force(ReleaseOrder order, long until) {
	}

}
