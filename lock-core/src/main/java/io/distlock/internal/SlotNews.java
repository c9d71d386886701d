package io.distlock.internal;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Tells a semaphore what others wait for: that the store has answered for one of its
 * permits, and, once, that nobody wants or holds it here any more. Confined to the
 * monitor of the permit's entry; the semaphore is told when that has been left, as its
 * own monitor is entered first.
 */
final class SlotNews {

	private final @Nullable Slot slot;

	private final LockTable table;

	private final Monitor monitor;

	private boolean toldVacant;

	/**
	 * Creates it, with nothing told.
	 * @param slot the permit, or {@code null} for a lock, of which nobody is told
	 * @param table where the semaphore is
	 * @param monitor the monitor of the permit's entry
	 */
	SlotNews(@Nullable Slot slot, LockTable table, Monitor monitor) {
		this.slot = slot;
		this.table = table;
		this.monitor = monitor;
	}

	/** Somebody wants the permit. */
	void wanted() {
		this.toldVacant = false;
	}

	void vacant() {
		Slot vacated = this.slot;
		if (vacated != null && !this.toldVacant) {
			this.toldVacant = true;
			this.monitor.afterwards(() -> this.table.vacated(vacated));
		}
	}

	/**
	 * The store has said who has the permit.
	 * @param failure why it has not, or {@code null}
	 */
	void answered(@Nullable LockStoreException failure) {
		Slot about = this.slot;
		if (about != null) {
			this.monitor.afterwards(() -> this.table.answered(about, failure));
		}
	}

}
