package io.distlock.benchmark.scenario;

/** Something that is measured. */
public interface Scenario {

	/**
	 * Measures all that take part, round by round, so that noise hits all alike.
	 * @param bench server, options and where to put samples
	 */
	void run(Bench bench);

}
