package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;

/**
 * The lease that the store keeps for one request of this process. While it lasts the lock
 * may be handed from thread to thread without a command, each hold with its own token
 * from the reserved block.
 * <p>
 * This is lock cohorting: David Dice, Virendra Marathe, Nir Shavit, "Lock Cohorting: A
 * General Technique for Designing NUMA Locks", PPoPP 2012. Confined to the monitor of the
 * key.
 */
final class StoreLease {

	private final RequestId request;

	private final Renewer renewer;

	private TokenBlock tokens;

	private HandOffBudget budget;

	/** What the store granted last, in nanoseconds; a pushed grant is a short one. */
	private long granted;

	/** How many threads wait here for a token. */
	private int waiting;

	/** Whether a renewal that reserves tokens is unanswered. */
	private boolean reserving;

	/**
	 * Creates a lease.
	 * @param request the request that was granted
	 * @param grant what was granted
	 * @param renewer when to renew it
	 * @param now the monotonic clock
	 * @param remaining how much of the lease is certain, in nanoseconds
	 */
	StoreLease(RequestId request, Grant grant, Renewer renewer, long now, long remaining) {
		this.request = request;
		this.renewer = renewer;
		this.granted = remaining;
		this.tokens = new TokenBlock(grant);
		this.budget = HandOffBudget.full(now);
	}

	RequestId request() {
		return this.request;
	}

	Renewer renewer() {
		return this.renewer;
	}

	long takeToken() {
		return this.tokens.take();
	}

	/** Another process waits. */
	void contended(long now) {
		this.budget = this.budget.contendedSince(now);
	}

	/** No other process waited at a moment. */
	void uncontended(long moment) {
		this.budget = this.budget.uncontendedAt(moment);
	}

	/** The lock was handed to another thread, or shared with it. */
	void handedOff() {
		this.budget = this.budget.spent();
	}

	/**
	 * Returns whether the lock may be handed to the next thread here.
	 * @param remaining what is left of the hold, in nanoseconds
	 * @param wanted the term the next thread wants
	 * @param now the monotonic clock
	 */
	boolean mayHandOff(long remaining, LeaseTerm wanted, long now) {
		// mutant: token-left
		boolean token = !this.tokens.isEmpty();
		boolean sameTerm = wanted.renewed() && wanted.equals(this.renewer.term());
		return sameTerm && this.renewer.scheduled() && token && lastsFor(remaining, wanted) && this.budget.allows(now);
	}

	/**
	 * Returns whether one more reader may join here. While other processes wait this is
	 * like a hand-off: each reader that joins may keep them waiting longer.
	 */
	boolean mayShare(long now) {
		// mutant: share-budget
		return this.budget.allows(now);
	}

	/** Whether what is left is enough to begin with. */
	boolean lastsFor(long remaining, LeaseTerm wanted) {
		return remaining >= Math.min(wanted.nanos(), this.granted) / 3;
	}

	/** Whether the lock had to be released only because no token was left. */
	boolean ranOut() {
		return this.tokens.isEmpty() && !this.budget.contended();
	}

	/** Whether tokens should be reserved before they run out. */
	boolean wantsTokens() {
		return !this.budget.contended() && !this.reserving && !this.renewer.failing()
				&& this.tokens.isLow(this.waiting);
	}

	/** So many threads wait here, each for a token. */
	void waiting(int count) {
		this.waiting = count;
	}

	/**
	 * A renewal is being sent.
	 * @return how many tokens it reserves
	 */
	int reserve() {
		this.reserving = wantsTokens();
		// mutant: reserve
		return this.reserving ? TokenBlock.MORE : 0;
	}

	/**
	 * A renewal was confirmed.
	 * @param grant the hold as the store sees it
	 * @param waiters how many other processes wait
	 * @param sentAt when it was sent
	 * @param now the monotonic clock
	 */
	void confirmed(Grant grant, int waiters, long sentAt, long now) {
		this.reserving = false;
		this.granted = TimeUnit.MILLISECONDS.toNanos(grant.remainingMillis());
		if (this.tokens.isOlderThan(grant)) {
			this.tokens = new TokenBlock(grant);
		}
		HandOffBudget seen = this.budget.seen(sentAt);
		this.budget = (waiters > 0) ? seen.contendedSince(now) : seen;
	}

	void notConfirmed() {
		this.reserving = false;
	}

}
