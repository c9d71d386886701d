package io.distlock.internal.lease;

import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Grant;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a lock may be handed from thread to thread of this process without a
 * command, during one lease. Each hold takes its token from the block that the lease has
 * reserved.
 * <p>
 * This is lock cohorting: David Dice, Virendra Marathe, Nir Shavit, "Lock Cohorting: A
 * General Technique for Designing NUMA Locks", PPoPP 2012. Confined to the monitor of the
 * key.
 */
public final class HandOffs {

	/**
	 * How many tokens the first grant of a lease reserves. Tokens follow the clock in
	 * microseconds, so this number times the grants in a second must stay below a
	 * million.
	 */
	private static final int FIRST_TOKENS = 64;

	/**
	 * How many tokens are reserved later while no other process waits. After a lease that
	 * ran out of tokens, the next grant also reserves this number at once. Virtual
	 * threads hand a lock on thousands of times in a round trip.
	 */
	static final int MORE_TOKENS = 4096;

	/**
	 * The limit of hand-offs while another process is known to wait. The limit is high
	 * because a hand-over between two processes takes milliseconds in a database. Even
	 * with an empty critical section the time limit is reached first.
	 */
	static final int CONTENDED = 1024;

	/**
	 * The factor by which a reservation exceeds the tokens that the previous lease has
	 * used, while another process is known to wait.
	 */
	private static final int GROWTH = 4;

	/**
	 * The longest time for hand-offs without news from the store. A lost message must not
	 * starve other processes.
	 */
	private static final long NANOS_UNSEEN = TimeUnit.SECONDS.toNanos(1);

	/** The grant that reserved the tokens, one for each hold. */
	private Grant tokens;

	private int tokensTaken;

	/** Present while other processes are known to wait. */
	private @Nullable Budget budget;

	/** The moment at which the store last reported the waiting processes. */
	private long seenAt;

	/** The moment at which the lease began. */
	private final long begun;

	/** The length of the last grant, in nanoseconds. A pushed grant is short. */
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

	/** Takes the next token of the reserved block. */
	public long takeToken() {
		return this.tokens.fencingToken() + this.tokensTaken++;
	}

	private int tokensLeft() {
		return this.tokens.tokens() - this.tokensTaken;
	}

	/** Counts hand-offs from now on, because another process waits. */
	public void contended(long now) {
		if (this.budget == null) {
			this.budget = new Budget(now, 0);
		}
	}

	/**
	 * Notes that no other process waited at a moment. A process that came since then
	 * still counts.
	 */
	void uncontended(long moment) {
		if (this.budget != null && this.budget.since() - moment < 0) {
			this.budget = null;
		}
	}

	/**
	 * Uses up all hand-offs if other processes wait. The store was asked before the next
	 * reader joins, so processes that still wait came before that reader.
	 */
	public void spend() {
		if (this.budget != null) {
			this.budget = new Budget(this.budget.since(), CONTENDED);
		}
	}

	/** Counts that the lock was handed to another thread or shared with it. */
	public void handedOff() {
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
	 * Returns whether the lock may stay in this process. One more reader joins within the
	 * same bounds, because it may keep other processes waiting longer too.
	 */
	public boolean mayStay(long now) {
		if (this.budget != null) {
			return this.budget.allows(now);
		}
		return now - this.seenAt < NANOS_UNSEEN;
	}

	/** Returns when the store last reported the processes that wait. */
	public long seenAt() {
		return this.seenAt;
	}

	/** Returns whether enough of the lease is left to begin a hold. */
	public boolean lastsFor(long remaining, LeaseTerm wanted) {
		return remaining >= Math.min(wanted.nanos(), this.granted) / 3;
	}

	/**
	 * Returns how many tokens the first grant of a lease reserves.
	 * @return how many
	 */
	public static int firstTokens() {
		return FIRST_TOKENS;
	}

	/**
	 * Returns how many tokens the next request reserves.
	 * @param awaited whether threads of this process still wait
	 * @param now the monotonic clock
	 */
	public int nextTokens(boolean awaited, long now) {
		if (!awaited) {
			return FIRST_TOKENS;
		}
		if (tokensLeft() == 0 && this.budget == null) {
			return MORE_TOKENS;
		}
		return (this.tokensTaken >= FIRST_TOKENS) ? contendedTokens(now) : FIRST_TOKENS;
	}

	/**
	 * Returns how many tokens to reserve while other processes wait. The limit is one per
	 * microsecond of this lease, because tokens must not run ahead of the clock.
	 */
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
	 * Returns whether half of the tokens are used, or fewer tokens are left than threads
	 * wait.
	 */
	private boolean tokensLow() {
		return tokensLeft() <= Math.max(this.tokens.tokens() / 2, Math.min(this.waiting, MORE_TOKENS / 2));
	}

	/** Records how many threads wait here, each for a token. */
	void waiting(int count) {
		this.waiting = count;
	}

	/**
	 * Records that a renewal is being sent.
	 * @return how many tokens it reserves
	 */
	int reserve() {
		this.reserving = wantTokens();
		return this.reserving ? MORE_TOKENS : 0;
	}

	/**
	 * Records that a renewal was confirmed.
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

	/** Notes that a renewal was not confirmed. */
	public void notConfirmed() {
		this.reserving = false;
	}

	/**
	 * Limits the number and the time of the hand-offs in this process while other
	 * processes are known to wait.
	 *
	 * @param since the moment from which others are known to wait
	 * @param handOffs how often the lock was handed on since then
	 */
	private record Budget(long since, int handOffs) {

		private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(5);

		/** Returns whether the lock may be handed on. */
		boolean allows(long now) {
			return this.handOffs < CONTENDED && now - this.since < NANOS;
		}

		/** Returns the budget after one more hand-off. */
		Budget spent() {
			return new Budget(this.since, this.handOffs + 1);
		}

	}

}
