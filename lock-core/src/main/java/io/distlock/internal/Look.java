package io.distlock.internal;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What the next reader in line waits for, if it is an answer of the store: whether others
 * wait for the lock, or a longer lease. Confined to the monitor of the key.
 */
final class Look {

	/** How often the store is asked whether others still wait. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** When the store said who waits, or that somebody does. */
	private long knownAt;

	private boolean pending;

	private long since;

	/** When those whose time is over were told last that there is no answer. */
	private long toldAt;

	/** The reader in line for whom the store was asked, until it answered. */
	private @Nullable Waiter asking;

	/** The reader in line for whom the store has lengthened the lease. */
	private @Nullable Waiter covered;

	/**
	 * Nobody has asked yet.
	 * @param now the monotonic clock
	 * @param known whether the store has just said who waits
	 */
	Look(long now, boolean known) {
		this.knownAt = known ? now : now - LOOK_NANOS;
	}

	/** The store, or a message of it, said who waits. */
	void known(long moment) {
		this.knownAt = moment;
	}

	/** When it is worth to ask the store again who waits. */
	long next() {
		return this.knownAt + LOOK_NANOS;
	}

	/** Whether the next reader in line waits for an answer of the store. */
	boolean pending() {
		return this.pending;
	}

	void begin(Waiter next, long now) {
		this.pending = true;
		this.since = now;
		this.toldAt = now;
		this.asking = next;
	}

	/** Whether the answer is missing for too long; says so once each time. */
	boolean missesAnswer(long now, long timeoutNanos) {
		boolean missed = this.pending && now - this.toldAt >= timeoutNanos;
		this.toldAt = missed ? now : this.toldAt;
		return missed;
	}

	/** The store has answered a renewal that was sent at a moment. */
	void answered(long sentAt) {
		this.knownAt = sentAt;
		if (this.pending && sentAt - this.since >= 0) {
			this.pending = false;
			this.covered = this.asking;
			this.asking = null;
		}
	}

	/** Whether the store has confirmed the hold since it was asked for this one. */
	boolean covers(Waiter next) {
		return this.covered == next;
	}

	long dueBy(long latest, long timeoutNanos) {
		return this.pending ? LocalDeadline.earlier(latest, this.toldAt + timeoutNanos) : latest;
	}

}
