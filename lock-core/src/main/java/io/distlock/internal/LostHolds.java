package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Holds that are lost and to be told of at unlock: a handle knows its hold, a thread does
 * not. Confined to the monitor of the key.
 */
final class LostHolds {

	private List<Hold> holds = List.of();

	boolean isEmpty() {
		return this.holds.isEmpty();
	}

	void add(Hold lost) {
		if (lost.taker().reportsAtUnlock()) {
			List<Hold> more = new ArrayList<>(this.holds);
			more.add(lost);
			this.holds = more;
		}
	}

	/** Its owner was told. */
	void remove(Hold told) {
		keep((hold) -> hold != told);
	}

	/** Forgets those whose owner can never ask any more. */
	void removeOrphans() {
		keep((hold) -> !hold.taker().ownerGone());
	}

	private void keep(Predicate<Hold> condition) {
		if (!this.holds.isEmpty()) {
			this.holds = this.holds.stream().filter(condition).toList();
		}
	}

	/**
	 * One that a thread has not left.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 */
	@Nullable Hold of(Thread thread, boolean shared) {
		for (Hold hold : this.holds) {
			if (hold.ownedBy(thread) && hold.entered(shared)) {
				return hold;
			}
		}
		return null;
	}

}
