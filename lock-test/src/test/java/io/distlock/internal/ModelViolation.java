package io.distlock.internal;

import java.util.function.Supplier;

/** A schedule broke one of the rules. */
final class ModelViolation extends AssertionError {

	private static final long serialVersionUID = 1L;

	ModelViolation(String rule, Object found) {
		super(rule + ": " + found);
	}

	ModelViolation(Throwable violation, String schedule) {
		super(violation + schedule, violation);
	}

	static void unless(boolean kept, String rule, Object found) {
		if (!kept) {
			throw new ModelViolation(rule, found);
		}
	}

	/** For a text that takes longer than the check. */
	static void unless(boolean kept, String rule, Supplier<String> found) {
		if (!kept) {
			throw new ModelViolation(rule, found.get());
		}
	}

}
