package io.distlock.redis.simulation;

import java.util.Random;

/** All that is left to chance, repeatable by its seed. */
final class Chance {

	private final Random random;

	Chance(long seed) {
		this.random = new Random(seed * 0x9E3779B97F4A7C15L);
	}

	/** True this often. */
	boolean of(double probability) {
		return probability > 0 && this.random.nextDouble() < probability;
	}

	/** From 0 to 1. */
	double fraction() {
		return this.random.nextDouble();
	}

	int below(int bound) {
		return this.random.nextInt(bound);
	}

	/** Nanoseconds between two numbers of milliseconds. */
	long millis(double low, double high) {
		return (long) ((low + (high - low) * this.random.nextDouble()) * 1_000_000);
	}

}
