package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;

/**
 * The stay of a lock in this process under one request. While it lasts the lock may pass
 * from thread to thread without a command, each hold with a token of its own from the
 * reserved block. It may not last long once other processes are known to wait, nor go on
 * unseen: a lost message must not starve them.
 * <p>
 * This is lock cohorting: David Dice, Virendra Marathe, Nir Shavit, "Lock Cohorting: A
 * General Technique for Designing NUMA Locks", PPoPP 2012. Confined to the monitor of the
 * key.
 */
final class Tenure {

	/**
	 * Tokens of a new tenure. They follow the clock in microseconds, so this many times
	 * the grants in a second must stay below a million.
	 */
	static final int FIRST_TOKENS = 64;

	/**
	 * Tokens to add while nobody else waits, and to begin with after a tenure that ran
	 * out of them: virtual threads pass a lock on thousands of times in a round trip.
	 */
	static final int MORE_TOKENS = 4096;

	private static final int PASSES_WHEN_CONTENDED = 64;

	private static final long NANOS_WHEN_CONTENDED = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long NANOS_UNSEEN = TimeUnit.SECONDS.toNanos(1);

	private final RequestId request;

	private final Renewal renewal;

	/** Leases of renewals without an answer; any of them may still be executed, late. */
	private final List<Lease> unanswered = new ArrayList<>(1);

	private Lease longestLease;

	/** What the store granted last, in nanoseconds; a pushed grant is a short one. */
	private long granted;

	private long nextToken;

	private int tokensLeft;

	private int block;

	private int waiting;

	private boolean reserving;

	private long seenAt;

	private boolean contended;

	private long contendedAt;

	private int passes;

	/**
	 * Begins a tenure.
	 * @param request the request that was granted
	 * @param grant what was granted
	 * @param renewal when to renew it
	 * @param now the monotonic clock
	 * @param remaining how long the grant may be believed in, in nanoseconds
	 */
	Tenure(RequestId request, Grant grant, Renewal renewal, long now, long remaining) {
		this.granted = remaining;
		this.request = request;
		this.renewal = renewal;
		this.longestLease = renewal.lease();
		this.seenAt = now;
		takeBlock(grant);
	}

	/** The longest lease that was ever asked for. */
	Lease longestLease() {
		return this.longestLease;
	}

	/** A renewal with this lease is being sent. */
	void asked(Lease lease) {
		this.unanswered.add(lease);
		if (lease.nanos() > this.longestLease.nanos()) {
			this.longestLease = lease;
		}
	}

	/**
	 * A renewal was answered.
	 * @param lease its lease
	 * @param grantedMillis what the store granted
	 * @return what may be believed: a renewal without an answer, executed late, would
	 * bring the end forward to its own lease
	 */
	long believable(Lease lease, long grantedMillis) {
		this.unanswered.remove(lease);
		return this.unanswered.stream()
			.mapToLong((other) -> other.duration().toMillis())
			.reduce(grantedMillis, Math::min);
	}

	RequestId request() {
		return this.request;
	}

	Renewal renewal() {
		return this.renewal;
	}

	long takeToken() {
		this.tokensLeft--;
		return this.nextToken++;
	}

	/** Another process waits: from now on the tenure is counted. */
	void contended(long now) {
		if (!this.contended) {
			this.contended = true;
			this.contendedAt = now;
			this.passes = 0;
		}
	}

	/**
	 * Whether the lock may pass to the next thread here.
	 * @param remaining what is left of the hold, in nanoseconds
	 * @param wish the lease the next thread wants
	 * @param now the monotonic clock
	 */
	boolean mayPass(long remaining, Lease wish, long now) {
		boolean sameLease = wish.renewed() && wish.equals(this.renewal.lease());
		return sameLease && this.renewal.scheduled() && this.tokensLeft > 0 && lastsFor(remaining, wish)
				&& withinBounds(now);
	}

	/**
	 * Whether one more reader may join here. With others waiting it is like passing on:
	 * each that joins may keep them waiting longer.
	 */
	boolean mayShare(long now) {
		return withinBounds(now);
	}

	/** Whether what is left is enough to begin with. */
	boolean lastsFor(long remaining, Lease wish) {
		return remaining >= Math.min(wish.nanos(), this.granted) / 3;
	}

	private boolean withinBounds(long now) {
		return this.contended ? this.passes < PASSES_WHEN_CONTENDED && now - this.contendedAt < NANOS_WHEN_CONTENDED
				: now - this.seenAt < NANOS_UNSEEN;
	}

	/** Nobody waited when the store was asked, and nobody is known to have come since. */
	void uncontended(long askedAt) {
		this.contended &= this.contendedAt - askedAt >= 0;
	}

	void passed() {
		this.passes++;
	}

	/** Whether the lock had to be released for want of tokens only. */
	boolean ranOut() {
		return this.tokensLeft == 0 && !this.contended;
	}

	/**
	 * Whether tokens should be reserved before they run out: half of them are gone, or
	 * more wait than there are tokens for.
	 */
	boolean wantsTokens() {
		int enough = Math.max(this.block / 2, Math.min(this.waiting, MORE_TOKENS / 2));
		return !this.contended && !this.reserving && !this.renewal.failing() && this.tokensLeft <= enough;
	}

	/** So many wait here, each for a token of its own. */
	void waiting(int count) {
		this.waiting = count;
	}

	/**
	 * A renewal is being sent.
	 * @return how many tokens it is to reserve
	 */
	int reserve() {
		this.reserving = wantsTokens();
		return this.reserving ? MORE_TOKENS : 0;
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
		this.seenAt = sentAt;
		this.granted = TimeUnit.MILLISECONDS.toNanos(grant.remainingMillis());
		if (grant.fencingToken() >= this.nextToken) {
			takeBlock(grant);
		}
		if (waiters > 0) {
			contended(now);
		}
	}

	void notConfirmed() {
		this.reserving = false;
	}

	private void takeBlock(Grant grant) {
		this.nextToken = grant.fencingToken();
		this.tokensLeft = grant.tokens();
		this.block = grant.tokens();
	}

}
