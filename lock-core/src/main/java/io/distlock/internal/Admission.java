package io.distlock.internal;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Who of those in line gets a lock, and when: brings together the line, the one request
 * in the store and what is held. Confined to the monitor of the key.
 * <p>
 * Invariant: there is a hold or a contest or neither, never both; while somebody waits in
 * line there is one of them.
 */
final class Admission implements Contest.Result, Upkeep.Events {

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final SlotNews news;

	private final WaitingLine line;

	private final Withdrawals withdrawals;

	private final Contest contest;

	private final Upkeep upkeep;

	private final Holding holding;

	private int tokens = Tenure.FIRST_TOKENS;

	/**
	 * Creates it, with nobody who waits.
	 * @param key the key
	 * @param slot of requests
	 * @param engine what engines share
	 * @param monitor the monitor of the key
	 * @param news told what others may wait for, if this is about a permit
	 */
	Admission(String key, int slot, EngineContext engine, Monitor monitor, SlotNews news) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
		this.news = news;
		this.line = new WaitingLine(monitor);
		this.withdrawals = new Withdrawals(key, engine, monitor);
		StoreTime storeTime = new StoreTime(engine.clock(), engine.watch());
		this.contest = new Contest(key, slot, engine, monitor, this.withdrawals, storeTime, this);
		this.upkeep = new Upkeep(key, engine, monitor, storeTime, this);
		this.holding = this.upkeep.holding();
	}

	WaitingLine line() {
		return this.line;
	}

	Withdrawals withdrawals() {
		return this.withdrawals;
	}

	Contest contest() {
		return this.contest;
	}

	Upkeep upkeep() {
		return this.upkeep;
	}

	Holding holding() {
		return this.holding;
	}

	/** Whether nobody wants or holds the lock. */
	boolean isVacant() {
		return this.line.isEmpty() && this.holding.isFree();
	}

	/** Whether nothing is left, also of what has gone. */
	boolean isOver() {
		return this.line.isEmpty() && this.contest.isIdle() && this.holding.isEmpty() && this.withdrawals.isEmpty();
	}

	/** Who has the lock, as far as known here. */
	@Nullable Holder knownHolder() {
		Hold hold = this.holding.anyones();
		return (hold != null) ? this.engine.describe(hold) : this.contest.holder();
	}

	/** Lets somebody wait for the lock, or enter the hold its thread has. */
	void join(Waiter waiter) {
		this.upkeep.loseIfExpired(this.engine.now());
		Hold own = waiter.nests() ? this.holding.liveOf(waiter.thread()) : null;
		if (own != null) {
			nest(own, waiter);
		}
		else if (this.line.length() >= waiter.maxWaiters()) {
			waiter.end(new Waiter.Outcome.Crowded(knownHolder()), this.monitor);
		}
		else {
			lineUp(waiter);
			contend();
			letReadersIn();
			this.holding.waiting(this.line);
			if (!waiter.patient()) {
				timeIsOver(waiter);
			}
		}
	}

	private void nest(Hold own, Waiter waiter) {
		if (own.taker().shared() && !waiter.shared()) {
			waiter.end(new Waiter.Outcome.Failed(this.engine.failures().noUpgrade(this.key)), this.monitor);
		}
		else {
			this.holding.reenter(own, waiter);
		}
	}

	/** Lets somebody wait behind the others, unless the engine is shutting down. */
	void lineUp(Waiter waiter) {
		if (this.engine.accepting()) {
			this.line.add(waiter);
		}
		else {
			waiter.end(new Waiter.Outcome.Failed(this.engine.failures().shuttingDown(this.key)), this.monitor);
		}
	}

	/** Asks the store for the first in line, if nobody does and the lock is not here. */
	void contend() {
		Waiter first = this.line.first();
		if (first != null && this.holding.isFree() && this.contest.isIdle()) {
			this.withdrawals.supersede();
			this.contest.enter(first, this.line.anyPatient(), this.tokens);
		}
	}

	/** Those at the head of the line who share what is held here. */
	void letReadersIn() {
		Waiter first = this.line.first();
		while (first != null && first.shared() && this.holding.share(first)) {
			this.line.remove(first);
			first = this.line.first();
		}
	}

	/** The waiter will wait no longer, but for an answer that the store owes. */
	void timeIsOver(Waiter waiter) {
		waiter.markOverdue();
		if (this.line.contains(waiter) && !this.contest.answerOwed() && !this.holding.answerOwed()) {
			this.line.refuse(waiter, knownHolder());
			withdrawIfUnwanted();
		}
	}

	/** Somebody has left the line. */
	void withdrawIfUnwanted() {
		if (this.line.isEmpty()) {
			this.contest.withdraw();
		}
		if (!this.contest.isFor(this.line.first())) {
			this.contest.withdraw();
			contend();
		}
	}

	/**
	 * Passes what was released on to the next in line, if it may stay here.
	 * @param released what nobody is inside of any more
	 * @param now the monotonic clock
	 * @return whether it stays; otherwise the store is to be told
	 */
	boolean passOn(Hold released, long now) {
		Waiter next = this.line.first();
		if (next == null || released.state() != Hold.State.RELEASED || !passesTo(released, next)
				|| !released.tenure().mayPass(released.deadline() - now, next.lease(), now)) {
			this.tokens = (next != null && released.tenure().ranOut()) ? Tenure.MORE_TOKENS : Tenure.FIRST_TOKENS;
			return false;
		}
		this.line.remove(next);
		this.holding.pass(released, next, now, this.line);
		return true;
	}

	/** Whoever shares does not pass on: those who may share it too have joined. */
	private static boolean passesTo(Hold released, Waiter next) {
		return !next.shared() && next.sharing().equals(released.taker().sharing());
	}

	/** Releases what was kept for its minimum and is over. */
	void endMinimum(long now) {
		Hold over = this.engine.finished() ? null : this.holding.endMinimum(now);
		if (over != null) {
			this.withdrawals.begin(over.request(), over.tenure().longestLease(), Ending.UNHEARD);
			contend();
		}
	}

	// How the contest in the store goes

	@Override
	public void granted(Contender winner, Contest.Win win) {
		Waiter next = this.line.first();
		long now = this.engine.now();
		if (next == null) {
			giveBack(winner);
		}
		else if (win.deadline() - now <= 0) {
			failOverdue(now);
			giveBack(winner);
		}
		else if (!next.sharing().equals(winner.speaker().sharing())) {
			giveBack(winner);
		}
		else if (win.confirmed() && next.lease().nanos() < winner.speaker().lease().nanos()) {
			// Asked for by somebody who has gone. The store would not shorten it.
			this.line.refuseOverdue(now, knownHolder());
			this.news.answered(null);
			giveBack(winner);
		}
		else {
			this.line.remove(next);
			this.news.answered(null);
			this.holding.begin(win.firstHold(this.key, winner, next, this.engine), win.confirmed());
			looked();
		}
	}

	/** Ends what was won, and contends anew for those who are left. */
	private void giveBack(Contender winner) {
		this.withdrawals.begin(winner.request(), winner.speaker().lease());
		contend();
	}

	@Override
	public void refused(@Nullable Holder holder) {
		this.news.answered(null);
		this.line.refuseOverdue(this.engine.now(), holder);
		withdrawIfUnwanted();
		contend();
	}

	@Override
	public void ended() {
		failOverdue(this.engine.now());
		contend();
	}

	/**
	 * Threads whose time is over get no second try; nobody said busy, so neither do we.
	 */
	private void failOverdue(long now) {
		LockStoreException unanswered = this.engine.failures().unanswered(this.key, null);
		this.line.failOverdue(now, unanswered);
		this.news.answered(unanswered);
	}

	/**
	 * The outcome is unknown: nobody gets the lock here, and the request is ended there.
	 */
	@Override
	public void failed(LockStoreException cause) {
		this.news.answered(cause);
		this.line.failAll(cause);
		withdrawIfUnwanted();
	}

	// How it goes with what is held

	@Override
	public void looked() {
		letReadersIn();
		if (!this.holding.answerOwed()) {
			this.line.refuseOverdue(this.engine.now(), knownHolder());
		}
	}

	@Override
	public void lookFailed(LockStoreException cause) {
		this.line.failOverdue(this.engine.now(), cause);
	}

	@Override
	public void freed(Hold lost) {
		if (endedAtLoss(lost)) {
			this.withdrawals.begin(lost.request(), lost.tenure().longestLease());
		}
		contend();
	}

	/** Of what is shared only the last loss shows that the store need not keep it. */
	static boolean endedAtLoss(Hold hold) {
		return hold.taker().shared();
	}

}
