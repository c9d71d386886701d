package io.distlock.lab.run;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** What came of a run in a word. */
public enum Outcome {

	/** All items were sold once. */
	EXACT,

	/** Something was sold twice, several were inside, or a caller broke down. */
	WRONG,

	/** No caller could go on. */
	STUCK,

	/** Somebody stopped the run; nothing had gone wrong until then. */
	STOPPED,

	/**
	 * Items left the stock, and their buyers did not learn it, because they died or got
	 * no answer. Nothing was sold twice.
	 */
	UNCERTAIN;

	/**
	 * Names the outcome in JSON.
	 * @return the name
	 */
	@JsonValue
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

}
