package io.distlock.benchmark.report;

import java.util.OptionalDouble;

import io.distlock.benchmark.measure.Metric;

/**
 * What a row of ours should reach.
 *
 * @param scenario where
 * @param ours which of our rows
 * @param metric what is looked at
 * @param reference how it is looked at
 * @param atLeast whether the limit is a lower one
 * @param limit the limit; not a number if the comparison is only for information
 */
record Target(String scenario, String ours, Metric metric, Reference reference, boolean atLeast, double limit) {

	/** What a value is compared with. */
	sealed interface Reference {

		/** Nothing: the value itself counts. */
		record Itself() implements Reference {
		}

		/** How many times the other's. */
		record Times(String scenario, String implementation) implements Reference {
		}

		/** How much more than the other's. */
		record Above(String scenario, String implementation) implements Reference {
		}

	}

	OptionalDouble value(Samples samples) {
		if (this.reference instanceof Reference.Times times) {
			return samples.paired(this.metric, this.scenario, this.ours, times.scenario(), times.implementation(),
					(ours, theirs) -> ours / theirs);
		}
		if (this.reference instanceof Reference.Above above) {
			return samples.paired(this.metric, this.scenario, this.ours, above.scenario(), above.implementation(),
					(ours, theirs) -> ours - theirs);
		}
		return samples.median(this.scenario, this.ours, this.metric);
	}

	boolean isMet(double value) {
		return this.atLeast ? value >= this.limit : value <= this.limit;
	}

	String describeReference() {
		if (this.reference instanceof Reference.Times times) {
			return "× " + name(times.scenario(), times.implementation());
		}
		if (this.reference instanceof Reference.Above above) {
			return "more than " + name(above.scenario(), above.implementation());
		}
		return "";
	}

	private String name(String otherScenario, String implementation) {
		return otherScenario.equals(this.scenario) ? implementation : implementation + " in " + otherScenario;
	}

	String describeLimit() {
		return Double.isNaN(this.limit) ? "" : (this.atLeast ? "≥ " : "≤ ") + Metric.format(this.limit);
	}

}
