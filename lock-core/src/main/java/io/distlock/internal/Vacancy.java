package io.distlock.internal;

import org.jspecify.annotations.Nullable;

/**
 * Tells a semaphore, once, that nobody wants or holds one of its permits here any more.
 * Confined to the monitor of the permit's entry; the semaphore is told when that has been
 * left, as its own monitor is entered first.
 */
final class Vacancy {

	private final @Nullable Slot slot;

	private final LockTable table;

	private final Monitor monitor;

	private boolean told;

	/**
	 * Creates it, not told.
	 * @param slot the permit, or {@code null} for a lock, of which nobody is told
	 * @param table where the semaphore is
	 * @param monitor the monitor of the permit's entry
	 */
	Vacancy(@Nullable Slot slot, LockTable table, Monitor monitor) {
		this.slot = slot;
		this.table = table;
		this.monitor = monitor;
	}

	/** Somebody wants the permit. */
	void over() {
		this.told = false;
	}

	void tellOnce() {
		Slot vacated = this.slot;
		if (vacated != null && !this.told) {
			this.told = true;
			this.monitor.afterwards(() -> this.table.vacated(vacated));
		}
	}

}
