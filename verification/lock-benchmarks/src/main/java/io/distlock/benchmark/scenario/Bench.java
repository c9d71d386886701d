package io.distlock.benchmark.scenario;

import java.util.List;
import java.util.function.Consumer;

import io.distlock.benchmark.measure.RedisProbe;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.RedisAddress;

/**
 * What a scenario works with.
 *
 * @param options how long and how much
 * @param redis the server that is measured
 * @param probe a connection to it
 * @param results where samples go
 * @param failures where failures go
 */
public record Bench(Options options, RedisAddress redis, RedisProbe probe, Consumer<Sample> results,
		Failures failures) {

	/** Measures one implementation once. */
	interface Measurement {

		/**
		 * Measures.
		 * @param implementation whom
		 * @param round the round; not counted if less than 1
		 * @return the sample
		 */
		Sample measure(Implementation implementation, int round);

	}

	/**
	 * Measures everybody in turn, in each round beginning with another one, if that part
	 * is wanted at all.
	 */
	void rounds(String part, List<Implementation> implementations, Measurement measurement) {
		if (!this.options.wants(part)) {
			return;
		}
		for (int round = 1 - this.options.warmup(); round <= this.options.rounds(); round++) {
			for (int i = 0; i < implementations.size(); i++) {
				int turn = Math.floorMod(i + round, implementations.size());
				turn(part, implementations.get(turn), measurement, round);
			}
		}
	}

	private void turn(String part, Implementation implementation, Measurement measurement, int round) {
		attempt(part, implementation, () -> {
			Sample sample = measurement.measure(implementation, round);
			if (round > 0) {
				this.results.accept(sample);
			}
		});
	}

	/** Measures with an empty server; a failure is kept until all others are measured. */
	void attempt(String part, Implementation implementation, Runnable measurement) {
		this.failures.attempt(part, implementation, () -> {
			this.probe.clear();
			measurement.run();
		});
	}

	/**
	 * Whether watching commands may still disturb: it comes after the last measurement.
	 */
	boolean isLast(int round) {
		return round == this.options.rounds();
	}

	long settleMillis() {
		return Math.min(300, measureMillis() / 5);
	}

	long measureMillis() {
		return this.options.length().toMillis();
	}

	long watchMillis() {
		return Math.min(500, measureMillis());
	}

	/** Ends the run if two threads were in the critical section at once. */
	static void requireExact(String scenario, Implementation implementation, long counted, long acquisitions) {
		if (counted != acquisitions) {
			throw new IllegalStateException(scenario + ", " + implementation.label() + ": " + acquisitions
					+ " acquisitions, but the guarded counter says " + counted);
		}
	}

}
