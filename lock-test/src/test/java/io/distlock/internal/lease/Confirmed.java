package io.distlock.internal.lease;

import io.distlock.internal.time.EngineClock;

/** Gives a lease in a test the end that the store would confirm. */
public final class Confirmed {

	private Confirmed() {
	}

	/** Records until when the store has confirmed the lease. */
	public static void until(StoreLease lease, long moment, EngineClock clock) {
		lease.validUntil(moment, clock.skipped());
	}

}
