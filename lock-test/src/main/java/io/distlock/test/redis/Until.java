package io.distlock.test.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state that servers agree upon among themselves. */
final class Until {

	private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

	private Until() {
	}

	/**
	 * Waits for a condition. If a server refuses or does not answer, the condition is not
	 * met yet.
	 * @throws IllegalStateException with the description if it takes too long
	 */
	static void met(Duration timeout, Supplier<String> description, BooleanSupplier condition) {
		long deadline = System.nanoTime() + timeout.toNanos();
		RuntimeException last = null;
		while (System.nanoTime() - deadline < 0) {
			try {
				if (condition.getAsBoolean()) {
					return;
				}
			}
			catch (IllegalStateException | UncheckedIOException ex) {
				last = ex;
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		throw new IllegalStateException("Not within " + timeout + ": " + description.get(), last);
	}

}
