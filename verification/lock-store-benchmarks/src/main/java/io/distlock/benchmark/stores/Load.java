package io.distlock.benchmark.stores;

/**
 * What processes do at the same time.
 *
 * @param name of the scenario
 * @param processes how many JVMs
 * @param threads in each of them
 * @param keys how many locks they choose from
 * @param bodyMicros the longest body, in microseconds; bodies differ
 */
record Load(String name, int processes, int threads, int keys, int bodyMicros) {

	/** Nobody waits. */
	static final Load A1 = new Load("A1", 1, 1, 1, 0);

	/** Four processes with four threads each and short bodies. */
	static final Load C = new Load("C", 4, 4, 2, 2000);

	/** Two processes with sixteen threads each, one lock, nothing to do. */
	static final Load C2X16 = new Load("C2x16", 2, 16, 1, 0);

	boolean contended() {
		return this.processes * this.threads > 1;
	}

}
