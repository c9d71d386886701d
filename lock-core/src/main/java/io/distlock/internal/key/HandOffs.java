package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Grant;
import org.jspecify.annotations.Nullable;

/**
 * How far a lock may be handed from thread to thread of this process without a command
 * while one lease lasts, each hold with its own token from the reserved block.
 * <p>
 * This is lock cohorting: David Dice, Virendra Marathe, Nir Shavit, "Lock Cohorting: A
 * General Technique for Designing NUMA Locks", PPoPP 2012. Confined to the monitor of the
 * key.
 */
final class HandOffs {

	/**
	 * How many tokens the first grant of a lease reserves. Tokens follow the clock in
	 * microseconds, so this number times the grants in a second must stay below a
	 * million.
	 */
	static final int FIRST_TOKENS = 64;

	/**
	 * How many are reserved later while no other process waits, and at first after a
	 * lease that ran out of tokens: virtual threads hand a lock on thousands of times in
	 * a round trip.
	 */
	static final int MORE_TOKENS = 4096;

	/**
	 * How often a lock is handed on at most while another process is known to wait. With
	 * an empty section between them the time for that is over first, so a hand-over
	 * between two processes, which takes milliseconds in a database, is worth it.
	 */
	static final int CONTENDED = 1024;

	/**
	 * How many times as many tokens are reserved as the lease before has used, while
	 * another process is known to wait.
	 */
	private static final int GROWTH = 4;

	/** Without news from the store: a lost message must not starve other processes. */
	private static final long NANOS_UNSEEN = TimeUnit.SECONDS.toNanos(1);

	/** The grant that reserved the tokens, one for each hold. */
	private Grant tokens;

	private int tokensTaken;

	/** Present while other processes are known to wait. */
	private @Nullable Budget budget;

	/** When the store last reported the waiting processes. */
	private long seenAt;

	/** When the lease began. */
	private final long begun;

	/** The length of the last grant, in nanoseconds; a pushed one is short. */
	private long granted;

	/** How many threads wait here for a token. */
	private int waiting;

	/** Whether a renewal that reserves tokens is unanswered. */
	private boolean reserving;

	/**
	 * Begins with the tokens of a grant.
	 * @param grant what was granted
	 * @param now the monotonic clock
	 * @param remaining how much of the lease is certain, in nanoseconds
	 */
	HandOffs(Grant grant, long now, long remaining) {
		this.tokens = grant;
		this.granted = remaining;
		this.begun = now;
		this.seenAt = now;
	}

	long takeToken() {
		return this.tokens.fencingToken() + this.tokensTaken++;
	}

	private int tokensLeft() {
		return this.tokens.tokens() - this.tokensTaken;
	}

	/** Another process waits: from now on hand-offs are counted. */
	void contended(long now) {
		if (this.budget == null) {
			this.budget = new Budget(now, 0);
		}
	}

	/** No other process waited at a moment; one that came since then still counts. */
	void uncontended(long moment) {
		if (this.budget != null && this.budget.since() - moment < 0) {
			this.budget = null;
		}
	}

	/**
	 * The store was asked before the next reader joins, and processes that wait by now
	 * came before that reader.
	 */
	void spend() {
		if (this.budget != null) {
			this.budget = new Budget(this.budget.since(), CONTENDED);
		}
	}

	/** The lock was handed to another thread, or shared with it. */
	void handedOff() {
		if (this.budget != null) {
			this.budget = this.budget.spent();
		}
	}

	/**
	 * Returns whether the lock may be handed to the next thread here.
	 * @param remaining what is left of the lease, in nanoseconds
	 * @param wanted the term the next thread wants
	 * @param now the monotonic clock
	 */
	boolean allow(long remaining, LeaseTerm wanted, long now) {
		return tokensLeft() > 0 && lastsFor(remaining, wanted) && mayStay(now);
	}

	/**
	 * Returns whether one more reader may join here. While other processes wait this is
	 * like a hand-off: each reader that joins may keep them waiting longer.
	 */
	boolean mayShare(long now) {
		return mayStay(now);
	}

	private boolean mayStay(long now) {
		if (this.budget != null) {
			return this.budget.allows(now);
		}
		return now - this.seenAt < NANOS_UNSEEN;
	}

	/** Returns whether what is left is enough to begin with. */
	boolean lastsFor(long remaining, LeaseTerm wanted) {
		return remaining >= Math.min(wanted.nanos(), this.granted) / 3;
	}

	/**
	 * Returns how many tokens the next request reserves.
	 * @param awaited whether threads of this process still wait
	 * @param now the monotonic clock
	 */
	int nextTokens(boolean awaited, long now) {
		if (!awaited) {
			return FIRST_TOKENS;
		}
		if (tokensLeft() == 0 && this.budget == null) {
			return MORE_TOKENS;
		}
		return (this.tokensTaken >= FIRST_TOKENS) ? contendedTokens(now) : FIRST_TOKENS;
	}

	/** One per microsecond of this lease: tokens must not run ahead of the clock. */
	private int contendedTokens(long now) {
		int wanted = Math.min(CONTENDED, GROWTH * this.tokensTaken);
		long passed = TimeUnit.NANOSECONDS.toMicros(now - this.begun);
		return (int) Math.min(wanted, Math.max(GROWTH * FIRST_TOKENS, passed));
	}

	/** Returns whether tokens should be reserved before they run out. */
	boolean wantTokens() {
		return this.budget == null && !this.reserving && tokensLow();
	}

	/**
	 * Returns whether half of them are gone, or more threads wait than tokens are left.
	 */
	private boolean tokensLow() {
		return tokensLeft() <= Math.max(this.tokens.tokens() / 2, Math.min(this.waiting, MORE_TOKENS / 2));
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
		this.reserving = wantTokens();
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
		this.granted = TimeUnit.MILLISECONDS.toNanos(grant.remainingMillis());
		boolean newTokens = grant.fencingToken() >= this.tokens.fencingToken() + this.tokensTaken;
		if (newTokens) {
			this.tokens = grant;
			this.tokensTaken = 0;
		}
		this.seenAt = sentAt;
		if (waiters > 0) {
			contended(now);
		}
	}

	void notConfirmed() {
		this.reserving = false;
	}

	/**
	 * How long a lock may still be handed from thread to thread in this process while
	 * other processes are known to wait: the number of hand-offs and their time are
	 * limited.
	 *
	 * @param since since when others are known to wait
	 * @param handOffs how often the lock was handed on since then
	 */
	private record Budget(long since, int handOffs) {

		private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(5);

		/** Returns whether the lock may be handed on. */
		boolean allows(long now) {
			return this.handOffs < CONTENDED && now - this.since < NANOS;
		}

		/** The lock was handed on. */
		Budget spent() {
			return new Budget(this.since, this.handOffs + 1);
		}

	}

}
