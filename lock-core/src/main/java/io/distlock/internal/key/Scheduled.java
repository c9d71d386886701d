package io.distlock.internal.key;

/** Something the housekeeping thread looks after. */
public interface Scheduled {

	/**
	 * Returns when {@link #tick()} must be called at the latest.
	 * @return a moment of the monotonic clock
	 */
	long due();

	/** Does what is due. */
	void tick();

}
