package io.distlock.lab.run;

import java.util.Arrays;

/**
 * How long customers waited until they were served.
 *
 * @param p50 half of them less than this, in milliseconds
 * @param p95 of 100 customers 95 less than this
 * @param p99 of 100 customers 99 less than this
 */
public record Waiting(double p50, double p95, double p99) {

	static Waiting of(int[] micros, int size) {
		int[] sorted = Arrays.copyOf(micros, size);
		Arrays.sort(sorted);
		return new Waiting(percentile(sorted, 50), percentile(sorted, 95), percentile(sorted, 99));
	}

	private static double percentile(int[] sorted, int percent) {
		if (sorted.length == 0) {
			return 0;
		}
		int index = (int) Math.ceil(sorted.length * percent / 100.0) - 1;
		return Math.round(sorted[Math.max(0, index)] / 10.0) / 100.0;
	}

}
