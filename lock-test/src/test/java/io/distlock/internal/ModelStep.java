package io.distlock.internal;

/**
 * Something that may happen next.
 *
 * @param who the process or caller
 * @param what what it does
 * @param object to what, or nothing
 * @param kind how it is to be counted
 * @param action makes it happen
 */
record ModelStep(String who, String what, Object object, Kind kind, Runnable action) {

	@Override
	public String toString() {
		return this.who + " " + this.what + " " + this.object;
	}

	/** Kinds of steps. */
	enum Kind {

		/** Happens in any run, sooner or later. */
		NORMAL,

		/** Is a fault, of which a schedule has a limited number. */
		FAULT,

		/** May happen, but nothing waits for it. */
		OPTIONAL

	}

}
