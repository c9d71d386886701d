package io.distlock.output;

/**
 * How many random worlds or cases a test has: fewer in the usual build than in the full
 * proof.
 */
public final class Seeds {

	private Seeds() {
	}

	/**
	 * Returns the number.
	 * @param property the system property that says another one
	 * @param usual in the usual build, and in a development environment
	 * @param full in the full proof
	 */
	public static int of(String property, int usual, int full) {
		return Integer.getInteger(property, "all".equals(System.getProperty("test.scope")) ? full : usual);
	}

}
