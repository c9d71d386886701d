package io.distlock.memory;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.distlock.spi.LockSnapshot;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/** The holds of a lock: none, an exclusive one, or several of one kind. */
final class InMemoryHolds {

	/** By instance. */
	private final Map<String, InMemoryHold> holds = new HashMap<>();

	@Nullable InMemoryHold of(String instance) {
		return this.holds.get(instance);
	}

	void put(InMemoryHold ownership) {
		this.holds.put(ownership.request().instance(), ownership);
	}

	void remove(String instance) {
		this.holds.remove(instance);
	}

	void removeExpired(long now) {
		this.holds.values().removeIf((hold) -> hold.expiresAt() <= now);
	}

	/** Whether one more hold may be added. */
	boolean admit(Sharing asked) {
		return this.holds.isEmpty() || (asked.goesWith(kind()) && asked.admits(this.holds.size()));
	}

	/** Whether the lock has an exclusive hold, so that no other can be admitted. */
	boolean exclusive() {
		return !this.holds.isEmpty() && kind() instanceof Sharing.Exclusive;
	}

	/** The hold that is reported to a request that has to wait. */
	InMemoryHold firstToEnd() {
		return this.holds.values()
			.stream()
			.min(Comparator.comparingLong(InMemoryHold::expiresAt).thenComparingLong(InMemoryHold::token))
			.orElseThrow();
	}

	boolean anyValid(long now) {
		return this.holds.values().stream().anyMatch((hold) -> hold.expiresAt() > now);
	}

	Collection<InMemoryHold> all() {
		return this.holds.values();
	}

	List<LockSnapshot.Hold> seen(long now) {
		return this.holds.values()
			.stream()
			.filter((hold) -> hold.expiresAt() > now)
			.sorted(Comparator.comparingLong(InMemoryHold::token))
			.map((hold) -> hold.seen(now))
			.toList();
	}

	private Sharing kind() {
		return this.holds.values().iterator().next().sharing();
	}

}
