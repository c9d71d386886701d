package io.distlock.internal;

/** What the housekeeper looks after. */
interface Tended {

	/** When {@link #tick()} must be called, at the latest. */
	long due();

	/** Does what is due. */
	void tick();

}
