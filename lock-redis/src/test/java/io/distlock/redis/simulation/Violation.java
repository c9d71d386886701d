package io.distlock.redis.simulation;

/** A rule was broken. */
public final class Violation extends AssertionError {

	private static final long serialVersionUID = 1L;

	private final String rule;

	Violation(String rule, String message) {
		super(message);
		this.rule = rule;
	}

	/** Which rule. */
	public String rule() {
		return this.rule;
	}

}
