package io.distlock.internal.ownership;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.distlock.internal.hold.Hold;
import org.jspecify.annotations.Nullable;

/**
 * The lost holds whose loss is reported when their thread unlocks. A handle knows its
 * hold, but a thread that unlocks without a handle does not.
 *
 * @param holds the lost holds
 */
record UnreportedLosses(List<Hold> holds) {

	static final UnreportedLosses NONE = new UnreportedLosses(List.of());

	boolean isEmpty() {
		return this.holds.isEmpty();
	}

	UnreportedLosses with(Hold lost) {
		return lost.owner().reportsAtUnlock()
				? new UnreportedLosses(Stream.concat(this.holds.stream(), Stream.of(lost)).toList()) : this;
	}

	UnreportedLosses without(Hold reported) {
		return only((hold) -> hold != reported);
	}

	/**
	 * Returns these losses without the losses whose owner has ended and never unlocks.
	 */
	UnreportedLosses withoutOrphans() {
		return only((hold) -> !hold.isOrphaned());
	}

	private UnreportedLosses only(Predicate<Hold> condition) {
		return isEmpty() ? this : new UnreportedLosses(this.holds.stream().filter(condition).toList());
	}

	/**
	 * Returns a lost hold that a thread has not released.
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
