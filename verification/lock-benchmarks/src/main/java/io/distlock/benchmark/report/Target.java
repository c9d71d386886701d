package io.distlock.benchmark.report;

import java.util.OptionalDouble;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;

/**
 * What a row of ours should reach.
 *
 * @param part where
 * @param ours which of our rows
 * @param metric what is looked at
 * @param reference how it is looked at
 * @param limit what should be reached
 * @param possible whose row says what is possible here; empty if nothing does
 */
record Target(String part, String ours, Metric metric, Reference reference, Limit limit, String possible) {

	/** What a value is compared with. */
	sealed interface Reference {

		/** Nothing: the value itself counts. */
		record Itself() implements Reference {
		}

		/** How many times the other's. */
		record Times(String part, String implementation) implements Reference {
		}

		/** How much more than the other's. */
		record Above(String part, String implementation) implements Reference {
		}

	}

	/** What a value should be. */
	sealed interface Limit {

		/** Anything: the comparison is for information. */
		record None() implements Limit {
		}

		/** At least this. */
		record AtLeast(double value) implements Limit {
		}

		/** At most this. */
		record AtMost(double value) implements Limit {
		}

	}

	/** What became of a target. */
	enum Outcome {

		/** It was not measured, or nothing was aimed at. */
		NONE(""),

		/** The value is within the limit. */
		REACHED("✔"),

		/** The value is not, but neither is what is possible here. */
		IMPOSSIBLE("not possible here"),

		/** The value is not within the limit. */
		MISSED("missed");

		private final String label;

		Outcome(String label) {
			this.label = label;
		}

		String label() {
			return this.label;
		}

	}

	OptionalDouble value(Runs runs, Compiler compiler) {
		return runs.newest(this.part, compiler, (run) -> value(run, this.ours));
	}

	/** The value of the run before the newest one that has a value. */
	OptionalDouble valueBefore(Runs runs, Compiler compiler) {
		return runs.before(this.part, compiler, (run) -> value(run, this.ours));
	}

	/** The value of what does no more than is necessary, in the same run as ours. */
	OptionalDouble possibleValue(Runs runs, Compiler compiler) {
		boolean known = !this.possible.isEmpty()
				&& !(this.reference instanceof Reference.Times times && times.implementation().equals(this.possible));
		return known
				? runs.newest(this.part, compiler,
						(run) -> value(run, this.ours).isPresent() ? value(run, this.possible) : OptionalDouble.empty())
				: OptionalDouble.empty();
	}

	Outcome outcome(Runs runs, Compiler compiler) {
		OptionalDouble value = value(runs, compiler);
		if (value.isEmpty() || this.limit instanceof Limit.None) {
			return Outcome.NONE;
		}
		if (isMet(value.getAsDouble())) {
			return Outcome.REACHED;
		}
		OptionalDouble best = possibleValue(runs, compiler);
		return (best.isPresent() && !isMet(best.getAsDouble())) ? Outcome.IMPOSSIBLE : Outcome.MISSED;
	}

	private OptionalDouble value(ResultFile run, String implementation) {
		Samples samples = new Samples(run.samples());
		if (this.reference instanceof Reference.Times times) {
			return samples.paired(this.metric, this.part, implementation, times.part(), times.implementation(),
					(ours, theirs) -> ours / theirs);
		}
		if (this.reference instanceof Reference.Above above) {
			return samples.paired(this.metric, this.part, implementation, above.part(), above.implementation(),
					(ours, theirs) -> ours - theirs);
		}
		return samples.median(this.part, implementation, this.metric);
	}

	private boolean isMet(double value) {
		if (this.limit instanceof Limit.AtLeast least) {
			return value >= least.value();
		}
		return !(this.limit instanceof Limit.AtMost most) || value <= most.value();
	}

	String describeReference() {
		if (this.reference instanceof Reference.Times times) {
			return "× " + name(times.part(), times.implementation());
		}
		if (this.reference instanceof Reference.Above above) {
			return "more than " + name(above.part(), above.implementation());
		}
		return "";
	}

	private String name(String otherPart, String implementation) {
		return otherPart.equals(this.part) ? implementation : implementation + " in " + otherPart;
	}

	String describeLimit() {
		if (this.limit instanceof Limit.AtLeast least) {
			return "≥ " + Metric.format(least.value());
		}
		return (this.limit instanceof Limit.AtMost most) ? "≤ " + Metric.format(most.value()) : "";
	}

}
