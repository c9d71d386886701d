package io.distlock.benchmark.stores;

import org.HdrHistogram.Histogram;

/**
 * One measurement.
 *
 * @param rate acquisitions per second of all processes
 * @param p50 median in microseconds, of the wait, or of the pair where nobody waits
 * @param p99 the same for the 99th percentile
 */
record Result(double rate, long p50, long p99) {

	static Result of(double rate, Histogram waits) {
		return new Result(rate, waits.getValueAtPercentile(50), waits.getValueAtPercentile(99));
	}

}
