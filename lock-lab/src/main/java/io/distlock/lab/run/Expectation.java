package io.distlock.lab.run;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a strategy does when a fault happens. */
public enum Expectation {

	/** All items are sold once. */
	HOLDS,

	/** Items are sold twice, or several are inside. */
	BREAKS,

	/** No caller can go on. */
	STICKS,

	/** One of these, and it takes luck to see which. */
	CHANCE,

	/** Items may be lost; none is sold twice. */
	UNCERTAIN,

	/** Such a run cannot be. */
	IMPOSSIBLE;

	/**
	 * Names the expectation in JSON.
	 * @return the name
	 */
	@JsonValue
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Says whether an outcome is as expected.
	 * @param outcome what came of a run
	 * @return whether it is
	 */
	public boolean allows(Outcome outcome) {
		return switch (this) {
			case HOLDS -> outcome == Outcome.EXACT;
			case BREAKS -> outcome == Outcome.WRONG;
			case STICKS -> outcome == Outcome.STUCK;
			case CHANCE -> outcome != Outcome.STOPPED;
			case UNCERTAIN -> outcome == Outcome.EXACT || outcome == Outcome.UNCERTAIN;
			case IMPOSSIBLE -> false;
		};
	}

}
