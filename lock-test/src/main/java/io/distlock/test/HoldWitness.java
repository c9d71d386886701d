package io.distlock.test;

import java.util.function.Consumer;

import io.distlock.LockMode;

/**
 * Sees the holds of one lock as their owners do: from the moment when an owner got the
 * lock until just before it gives the lock back. Reports what must not happen.
 */
final class HoldWitness {

	private final String key;

	private final Consumer<AssertionError> failures;

	private int writers;

	private int readers;

	private long highestToken;

	/** The token of the last owner that was alone. */
	private long lastAlone;

	HoldWitness(String key, Consumer<AssertionError> failures) {
		this.key = key;
		this.failures = failures;
	}

	/** Notes that an owner got the lock. */
	synchronized void enter(LockMode mode, long token) {
		boolean alone = mode == LockMode.EXCLUSIVE;
		int others = this.writers + (alone ? this.readers : 0);
		long before = alone ? this.highestToken : this.lastAlone;
		this.writers += alone ? 1 : 0;
		this.readers += alone ? 0 : 1;
		this.highestToken = Math.max(this.highestToken, token);
		this.lastAlone = alone ? token : this.lastAlone;
		if (others > 0 || token <= before) {
			this.failures.accept(new AssertionError("Lock '" + this.key + "' was given out as " + mode + " with token "
					+ token + " after token " + before + ", while " + others + " others held it"));
		}
	}

	/** Notes that an owner is about to give the lock back. */
	synchronized void leave(LockMode mode) {
		if (mode == LockMode.EXCLUSIVE) {
			this.writers--;
		}
		else {
			this.readers--;
		}
	}

}
