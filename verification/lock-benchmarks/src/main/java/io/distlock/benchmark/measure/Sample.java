package io.distlock.benchmark.measure;

import java.util.EnumMap;
import java.util.Map;

/**
 * One implementation in one round of one scenario.
 *
 * @param scenario the scenario
 * @param implementation its name in tables
 * @param round the round, from 1
 * @param values what was measured
 */
public record Sample(String scenario, String implementation, int round, Map<Metric, Double> values) {

	/**
	 * Starts a sample.
	 * @param scenario the scenario
	 * @param implementation its name in tables
	 * @param round the round, from 1
	 */
	public Sample(String scenario, String implementation, int round) {
		this(scenario, implementation, round, new EnumMap<>(Metric.class));
	}

	/**
	 * Adds a value.
	 * @param metric what
	 * @param value how much; left out if it is not a finite number
	 * @return this sample
	 */
	public Sample put(Metric metric, double value) {
		if (Double.isFinite(value)) {
			this.values.put(metric, value);
		}
		return this;
	}

}
