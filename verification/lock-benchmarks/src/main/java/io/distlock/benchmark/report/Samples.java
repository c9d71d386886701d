package io.distlock.benchmark.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;

/** Medians over rounds, and of what is compared within a round. */
final class Samples {

	private final List<Sample> all;

	Samples(List<Sample> all) {
		this.all = all;
	}

	List<Sample> all() {
		return this.all;
	}

	Collection<String> scenarios() {
		return new LinkedHashSet<>(this.all.stream().map(Sample::scenario).toList());
	}

	Collection<String> implementations() {
		return new LinkedHashSet<>(this.all.stream().map(Sample::implementation).toList());
	}

	Samples of(String scenario) {
		return new Samples(this.all.stream().filter((sample) -> sample.scenario().equals(scenario)).toList());
	}

	OptionalDouble median(String scenario, String implementation, Metric metric) {
		return median(values(scenario, implementation, metric).stream().mapToDouble(Value::value));
	}

	/**
	 * The median of what two measurements of the same round give together: noise that
	 * lasts for a round hits both.
	 */
	OptionalDouble paired(Metric metric, String scenario, String implementation, String otherScenario, String other,
			DoubleBinaryOperator together) {
		List<Value> others = values(otherScenario, other, metric);
		return median(values(scenario, implementation, metric).stream()
			.flatMapToDouble((ours) -> others.stream()
				.filter((theirs) -> theirs.round == ours.round)
				.mapToDouble((theirs) -> together.applyAsDouble(ours.value, theirs.value))));
	}

	private List<Value> values(String scenario, String implementation, Metric metric) {
		return this.all.stream()
			.filter((sample) -> sample.scenario().equals(scenario) && sample.implementation().equals(implementation))
			.filter((sample) -> sample.values().containsKey(metric))
			.map((sample) -> new Value(sample.round(), sample.values().getOrDefault(metric, Double.NaN)))
			.toList();
	}

	private static OptionalDouble median(DoubleStream values) {
		double[] sorted = values.filter(Double::isFinite).sorted().toArray();
		if (sorted.length == 0) {
			return OptionalDouble.empty();
		}
		int middle = sorted.length / 2;
		return OptionalDouble
			.of((sorted.length % 2 == 1) ? sorted[middle] : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2);
	}

	/** One value and its round. */
	private record Value(int round, double value) {
	}

}
