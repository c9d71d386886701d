package io.distlock.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.distlock.ClockJump;

/**
 * Detects jumps of this machine's clock. After a jump no remaining lease is certain, so
 * all renewed holds are renewed at once.
 */
public final class ClockWatch {

	private final AtomicBoolean suspicion = new AtomicBoolean();

	private final String store;

	private final EngineClock clock;

	private final Consumer<ClockJump> listener;

	private final Runnable wake;

	/**
	 * Creates a watch.
	 * @param store the id of the store
	 * @param clock the clock to watch
	 * @param listener notified of jumps
	 * @param wake called when {@link #takeSuspicion()} has become true
	 */
	public ClockWatch(String store, EngineClock clock, Consumer<ClockJump> listener, Runnable wake) {
		this.store = store;
		this.clock = clock;
		this.listener = listener;
		this.wake = wake;
	}

	/**
	 * Checks whether the wall clock jumped. Usually this check takes two clock readings.
	 */
	public void check() {
		long jump = this.clock.compare();
		// Set before the report: the jump is found only once, and the report may fail.
		if (jump > 0) {
			suspect();
		}
		if (jump != 0) {
			this.listener.accept(new ClockJump(this.store, Duration.ofNanos(jump)));
		}
	}

	private void suspect() {
		this.suspicion.set(true);
		this.wake.run();
	}

	/**
	 * Returns whether all holds must be renewed because of a jump.
	 * @return {@code true} once for each jump
	 */
	public boolean takeSuspicion() {
		return this.suspicion.get() && this.suspicion.getAndSet(false);
	}

}
