package io.distlock.records.place;

/**
 * Describes what a place of records can do.
 *
 * @param lifetime what ends holds that are not finished
 * @param notifies whether messages arrive soon after the write; if not, waiters poll
 * @param longestText the length of the longest record that the place accepts, in
 * characters
 */
public record RecordTraits(Lifetime lifetime, boolean notifies, int longestText) {

	/** Names what ends a hold that no command finishes. */
	public enum Lifetime {

		/** The place's clock. */
		CLOCK,

		/** The end of the session of the hold's process. */
		SESSION

	}

}
