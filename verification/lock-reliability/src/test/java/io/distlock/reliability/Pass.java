package io.distlock.reliability;

/**
 * How much a test does: a short form of it in every build, the full form in the profile
 * {@code reliability}.
 */
public enum Pass {

	/** A taste of each fault, in seconds. */
	SHORT,

	/** The figures of {@code docs/proof.md}. */
	FULL;

	/** The delay that other builds on this machine may cause. */
	static final double LOAD_MILLIS = current().of(30_000, 3000);

	/** What this run was started as. */
	public static Pass current() {
		return "full".equals(System.getProperty("reliability.pass", "short")) ? FULL : SHORT;
	}

	/**
	 * The number of rounds of this pass.
	 * @param few in every build
	 * @param many in the full pass
	 */
	public int of(int few, int many) {
		return (this == FULL) ? many : few;
	}

}
