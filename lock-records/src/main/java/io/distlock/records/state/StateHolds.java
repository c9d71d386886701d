package io.distlock.records.state;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/** The holds of a lock: none, an exclusive one, or several of one kind. */
final class StateHolds {

	private static final Comparator<StateHold> BY_END = Comparator.comparingLong(StateHold::end)
		.thenComparingLong((hold) -> hold.tokens().first());

	/** The holds by instance. */
	private final Map<String, StateHold> holds = new LinkedHashMap<>();

	/**
	 * The time before which no hold is over. So a request does not look at each of many
	 * holds.
	 */
	private long noneOverBefore = Long.MAX_VALUE;

	@Nullable StateHold of(String instance) {
		return this.holds.get(instance);
	}

	/** Returns the hold of this request. */
	@Nullable StateHold by(RequestId request) {
		StateHold own = of(request.instance());
		return (own != null && own.by(request)) ? own : null;
	}

	void put(StateHold hold) {
		this.holds.put(hold.request().instance(), hold);
		expect(hold);
	}

	/** A hold that ends with its session may be over at any time. */
	private void expect(StateHold hold) {
		this.noneOverBefore = (hold.end() != StateHold.OPEN) ? Math.min(this.noneOverBefore, hold.end())
				: Long.MIN_VALUE;
	}

	void remove(String instance) {
		this.holds.remove(instance);
	}

	void removeOver(StoreTime time, long graceMillis) {
		if (this.noneOverBefore <= time.now() - graceMillis) {
			this.holds.values().removeIf((hold) -> hold.isOver(time, graceMillis));
			this.noneOverBefore = Long.MAX_VALUE;
			this.holds.values().forEach(this::expect);
		}
	}

	/** Returns whether the lock admits one more hold. */
	boolean admit(Sharing asked) {
		return this.holds.isEmpty() || (asked.goesWith(kind()) && asked.admits(this.holds.size()));
	}

	/** Returns whether the lock has an exclusive hold and so admits no other hold. */
	boolean exclusive() {
		return !this.holds.isEmpty() && kind() instanceof Sharing.Exclusive;
	}

	boolean permits() {
		return !this.holds.isEmpty() && kind() instanceof Sharing.Permit;
	}

	/** Returns the hold to report to a request that must wait. */
	StateHold firstToEnd() {
		return this.holds.values().stream().min(BY_END).orElseThrow();
	}

	boolean isEmpty() {
		return this.holds.isEmpty();
	}

	boolean anyValid(StoreTime time) {
		return this.holds.values().stream().anyMatch((hold) -> hold.isValid(time));
	}

	Collection<StateHold> all() {
		return this.holds.values();
	}

	List<LockSnapshot.Hold> seen(StoreTime time) {
		return this.holds.values()
			.stream()
			.filter((hold) -> hold.isValid(time))
			.sorted(Comparator.comparingLong((hold) -> hold.tokens().first()))
			.map((hold) -> hold.seen(time.now()))
			.toList();
	}

	private Sharing kind() {
		return this.holds.values().iterator().next().sharing();
	}

}
