package io.distlock.internal;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.distlock.LockException;
import io.distlock.spi.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Those of this process who share one hold in the store, each with a hold of its own that
 * follows it. Also what the next reader in line waits for, if it is an answer of the
 * store. Confined to the monitor of the key.
 */
final class Readers {

	/** How often the store is asked whether others still wait. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Set<Hold> holds = new LinkedHashSet<>();

	private final Map<Thread, Hold> ofThreads = new HashMap<>();

	/** When the store said who waits, or that somebody does. */
	private long knownAt;

	private boolean looking;

	private long lookingSince;

	/** When those whose time is over were told last that there is no answer. */
	private long toldAt;

	/** The reader in line for whom the store was asked, until it answered. */
	private @Nullable Waiter asking;

	/** The reader in line for whom the store has lengthened the lease. */
	private @Nullable Waiter covered;

	/**
	 * Nobody yet.
	 * @param now the monotonic clock
	 * @param known whether the store has just said who waits
	 */
	Readers(long now, boolean known) {
		this.knownAt = known ? now : now - LOOK_NANOS;
	}

	/** Why a reader cannot become the writer: it would wait for itself. */
	static LockException noUpgrade(String key) {
		return new LockException(
				"Lock '" + KeyText.of(key) + "' cannot be upgraded: thread '" + Thread.currentThread().getName()
						+ "' holds it shared and would wait for itself; release it, " + "then acquire it exclusively",
				null);
	}

	void add(Hold hold) {
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
	List<Hold> all() {
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

	List<Hold> expired(long now) {
		return this.holds.stream().filter((hold) -> hold.deadline() - now <= 0).toList();
	}

	/** What the store keeps was renewed, or will end sooner. */
	void follow(Hold shared) {
		this.holds.forEach((hold) -> hold.follow(shared));
	}

	/** Whether somebody nests that an answer to what was sent at a moment is not for. */
	boolean extensionBegunAfter(long sentAt) {
		return this.holds.stream().anyMatch((hold) -> hold.extensionBegunAfter(sentAt));
	}

	long dueBy(long latest, long timeoutNanos) {
		long next = this.looking ? LocalDeadline.earlier(latest, this.toldAt + timeoutNanos) : latest;
		for (Hold hold : this.holds) {
			next = hold.longBy(LocalDeadline.earlier(next, hold.deadline()));
		}
		return next;
	}

	/** The store, or a message of it, said who waits. */
	void known(long moment) {
		this.knownAt = moment;
	}

	/** When it is worth to ask the store again who waits. */
	long nextLook() {
		return this.knownAt + LOOK_NANOS;
	}

	/** Whether the next reader in line waits for an answer of the store. */
	boolean looking() {
		return this.looking;
	}

	void look(Waiter next, long now) {
		this.looking = true;
		this.lookingSince = now;
		this.toldAt = now;
		this.asking = next;
	}

	/** Whether the answer is missing for too long; says so once each time. */
	boolean missesAnswer(long now, long timeoutNanos) {
		boolean missed = this.looking && now - this.toldAt >= timeoutNanos;
		this.toldAt = missed ? now : this.toldAt;
		return missed;
	}

	/** The store has answered a renewal that was sent at a moment. */
	void looked(long sentAt) {
		this.knownAt = sentAt;
		if (this.looking && sentAt - this.lookingSince >= 0) {
			this.looking = false;
			this.covered = this.asking;
			this.asking = null;
		}
	}

	/** Whether the store has confirmed the hold since it was asked for this one. */
	boolean covers(Waiter next) {
		return this.covered == next;
	}

}
