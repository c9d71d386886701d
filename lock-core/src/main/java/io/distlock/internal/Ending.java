package io.distlock.internal;

import io.distlock.spi.FinishResult;

/** Told once, outside the monitor, how a request ended in the store. Must not block. */
interface Ending {

	/** For requests whose end interests nobody. */
	Ending UNHEARD = new Ending() {

		@Override
		public void confirmed(FinishResult result, boolean conclusive) {
		}

		@Override
		public void abandoned() {
		}

		@Override
		public boolean awaited() {
			return false;
		}

	};

	/**
	 * The store answered.
	 * @param result what was ended
	 * @param conclusive whether an answer that the request is unknown means that the
	 * store lost it
	 */
	void confirmed(FinishResult result, boolean conclusive);

	/** The store never answered, and is not asked any more: the lease will end it. */
	void abandoned();

	/**
	 * Whether the end of a newer request, which ends this one too, is not good enough.
	 */
	boolean awaited();

}
