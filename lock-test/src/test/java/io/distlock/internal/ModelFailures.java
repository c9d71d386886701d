package io.distlock.internal;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Violations found inside the engine's callbacks, where exceptions are caught so that one
 * caller cannot harm another one.
 */
final class ModelFailures {

	private static final Deque<ModelViolation> FOUND = new ArrayDeque<>();

	private ModelFailures() {
	}

	static void unless(boolean kept, String rule, Object found) {
		if (!kept) {
			FOUND.add(new ModelViolation(rule, found));
		}
	}

	/** Throws what was found since the last time. */
	static void rethrow() {
		ModelViolation found = FOUND.poll();
		FOUND.clear();
		if (found != null) {
			throw found;
		}
	}

}
