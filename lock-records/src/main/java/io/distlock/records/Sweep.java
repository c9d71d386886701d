package io.distlock.records;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Forgets now and then what is not needed any more. One timer serves all locks, and there
 * is none while nothing is remembered.
 */
final class Sweep {

	/**
	 * The time between two sweeps. It is longer than the pause between two renewals of
	 * most leases, so that a renewal need not read.
	 */
	static final Duration INTERVAL = Duration.ofSeconds(30);

	private final AtomicBoolean planned = new AtomicBoolean();

	private final Scheduler scheduler;

	private final BooleanSupplier sweep;

	/**
	 * Creates a sweep that is not planned.
	 * @param scheduler runs it later
	 * @param sweep forgets something; returns whether anything is left to be forgotten
	 */
	Sweep(Scheduler scheduler, BooleanSupplier sweep) {
		this.scheduler = scheduler;
		this.sweep = sweep;
	}

	/** Plans a sweep, unless one is planned. */
	void plan() {
		if (this.planned.compareAndSet(false, true)) {
			try {
				this.scheduler.schedule(INTERVAL, this::run);
			}
			catch (Throwable ex) {
				// The next plan tries again.
				this.planned.set(false);
				throw ex;
			}
		}
	}

	private void run() {
		this.planned.set(false);
		if (this.sweep.getAsBoolean()) {
			plan();
		}
	}

}
