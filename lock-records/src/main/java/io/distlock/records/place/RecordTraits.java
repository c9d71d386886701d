package io.distlock.records.place;

/**
 * What a place of records can do.
 *
 * @param lifetime what ends holds that are not finished
 * @param notifies whether messages arrive soon after the write; otherwise waiters poll
 * @param longestText the longest record that it takes, in characters
 */
public record RecordTraits(Lifetime lifetime, boolean notifies, int longestText) {

	/** What ends a hold that is not finished. */
	public enum Lifetime {

		/** The place's clock. */
		CLOCK,

		/** The end of the session of its process. */
		SESSION

	}

}
