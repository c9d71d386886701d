package io.distlock.internal.ownership;

import java.util.List;

import io.distlock.internal.hold.Hold;
import org.jspecify.annotations.Nullable;

/**
 * One owner holds the lock, alone or with one of several permits.
 *
 * @param hold its hold
 */
record OneOwner(Hold hold) implements Owners {

	@Override
	public List<Hold> holds() {
		return List.of(this.hold);
	}

	@Override
	public Hold first() {
		return this.hold;
	}

	@Override
	public @Nullable Hold of(@Nullable Thread thread) {
		return this.hold.ownedBy(thread) ? this.hold : null;
	}

	@Override
	public boolean areOrphaned() {
		return this.hold.isOrphaned();
	}

	@Override
	public boolean leave(Hold leaving) {
		return true;
	}

	@Override
	public List<Hold> expired(long now) {
		return (this.hold.deadline() - now <= 0) ? holds() : List.of();
	}

	@Override
	public List<Hold> overrun(long now) {
		return this.hold.becomesOverrun(now) ? holds() : List.of();
	}

	@Override
	public long dueBy(long latest) {
		return this.hold.dueBy(latest);
	}

}
