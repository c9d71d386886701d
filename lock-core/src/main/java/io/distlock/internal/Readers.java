package io.distlock.internal;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The holds of those who share a lock in this process. Confined to the monitor of the
 * key.
 */
final class Readers {

	private final Set<ReaderHold> holds = new LinkedHashSet<>();

	private final Map<Thread, ReaderHold> ofThreads = new HashMap<>();

	void add(ReaderHold hold) {
		this.holds.add(hold);
		Thread thread = hold.taker().thread();
		if (thread != null) {
			this.ofThreads.put(thread, hold);
		}
	}

	void remove(Hold hold) {
		this.holds.remove(hold);
		Thread thread = hold.taker().thread();
		if (thread != null) {
			this.ofThreads.remove(thread, hold);
		}
	}

	boolean isEmpty() {
		return this.holds.isEmpty();
	}

	/** All of them, to be gone through while some leave. */
	List<ReaderHold> all() {
		return List.copyOf(this.holds);
	}

	/** The one that came first. */
	Hold first() {
		return this.holds.iterator().next();
	}

	@Nullable Hold of(@Nullable Thread thread) {
		return (thread != null) ? this.ofThreads.get(thread) : null;
	}

	boolean ownersGone() {
		return this.holds.stream().allMatch((hold) -> hold.taker().ownerGone());
	}

	List<ReaderHold> expired(long now) {
		return this.holds.stream().filter((hold) -> hold.deadline() - now <= 0).toList();
	}

	/** What the store keeps was renewed, or will end sooner. */
	void follow(Hold shared) {
		this.holds.forEach((hold) -> hold.follow(shared));
	}

	/** Whether somebody nests that an answer to what was sent at a moment is not for. */
	boolean extensionBegunAfter(long sentAt) {
		return this.holds.stream().anyMatch((hold) -> hold.extensions().begunAfter(sentAt));
	}

	/** When the first of them is over, or held for too long. */
	long dueBy(long latest) {
		long next = latest;
		for (Hold hold : this.holds) {
			next = hold.dueBy(next);
		}
		return next;
	}

}
