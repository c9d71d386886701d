package io.distlock.internal;

import java.util.Optional;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * All there is about one key in this process: those who want it, the one request or hold
 * in the store, and what is still to be ended there. Waiters queue here in arrival order
 * and only the process contends in the store.
 * <p>
 * Driven by events (a caller, an answer, the housekeeper), each handled under the monitor
 * and never blocking there. Commands are sent under the monitor, so that their order is
 * the order of the states. The entry is dropped from the table when nothing is left.
 * <p>
 * Invariant: there is a hold or a contest or neither, never both; while somebody waits in
 * line there is one of them.
 */
final class LockEntry implements Contest.Result, Holding.Events, Tended, WaitingPlace {

	private final String key;

	/** Of a semaphore, for which this is one permit. */
	private final @Nullable Slot slot;

	private final EngineContext engine;

	private final Monitor monitor = new Monitor(this::settle, this::planVisit);

	private final WaitingLine line = new WaitingLine(this.monitor);

	private final Withdrawals withdrawals;

	private final Holding holding;

	private final Contest contest;

	private int tokens = Tenure.FIRST_TOKENS;

	private boolean retired;

	private boolean vacant;

	private volatile long due;

	LockEntry(String key, EngineContext engine) {
		this(key, null, engine);
	}

	LockEntry(Slot slot, EngineContext engine) {
		this(slot.key(), slot, engine);
	}

	private LockEntry(String key, @Nullable Slot slot, EngineContext engine) {
		this.key = key;
		this.slot = slot;
		this.engine = engine;
		this.withdrawals = new Withdrawals(key, engine, this.monitor);
		StoreTime storeTime = new StoreTime(engine.clock(), engine.watch());
		String instance = (slot != null) ? slot.instance(engine.instance()) : engine.instance();
		this.contest = new Contest(key, instance, engine, this.monitor, this.withdrawals, storeTime, this);
		this.holding = new Holding(key, engine, this.monitor, storeTime, this);
		this.due = engine.never();
	}

	// What callers want

	/**
	 * Lets somebody wait for the lock, or enter the hold its thread has.
	 * @param waiter who
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	boolean join(Waiter waiter) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return false;
			}
			this.holding.loseIfExpired(this.engine.now());
			this.vacant = false;
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
			return true;
		});
	}

	private void nest(Hold own, Waiter waiter) {
		if (own.taker().shared() && !waiter.shared()) {
			waiter.end(new Waiter.Outcome.Failed(Readers.noUpgrade(this.key)), this.monitor);
		}
		else {
			this.holding.reenter(own, waiter);
		}
	}

	private void lineUp(Waiter waiter) {
		if (this.engine.accepting()) {
			this.line.add(waiter);
		}
		else {
			waiter.end(new Waiter.Outcome.Failed(this.engine.shuttingDown(this.key)), this.monitor);
		}
	}

	@Override
	public void overdue(Waiter waiter) {
		this.monitor.run(() -> timeIsOver(waiter));
	}

	private void timeIsOver(Waiter waiter) {
		waiter.markOverdue();
		if (this.line.contains(waiter) && !this.contest.answerOwed() && !this.holding.answerOwed()) {
			this.line.refuse(waiter, knownHolder());
			withdrawIfUnwanted();
		}
	}

	@Override
	public boolean cancel(Waiter waiter) {
		return this.monitor.call(() -> {
			if (waiter.ended()) {
				return false;
			}
			this.line.remove(waiter);
			this.holding.cancelExtension(waiter);
			waiter.end(new Waiter.Outcome.Cancelled(), this.monitor);
			withdrawIfUnwanted();
			return true;
		});
	}

	/**
	 * Gives back the acquisition of a hold that was not entered otherwise than it began.
	 * @param hold the hold
	 * @param ending told how the release ended, if one is sent
	 * @return what became of it, or {@code null} if this entry was dropped
	 */
	@Nullable Release release(Hold hold, Ending ending) {
		return release(hold, hold.taker().shared(), ending);
	}

	/**
	 * Gives back one acquisition of a hold.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @param ending told how the release ended, if one is sent
	 * @return what became of it, or {@code null} if this entry was dropped: the hold was
	 * lost, and nobody would repeat what is sent from here
	 */
	@Nullable Release release(Hold hold, boolean shared, Ending ending) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return null;
			}
			long now = this.engine.now();
			if (this.holding.keeps(hold)) {
				this.holding.loseIfExpired(now);
			}
			boolean over = this.holding.leave(hold, shared);
			if (over || hold.state() == Hold.State.KEPT) {
				// Threads about to nest, whose hold another thread closed: they want a
				// new one.
				hold.takeExtensions().forEach(this::lineUp);
			}
			boolean lost = hold.state() == Hold.State.LOST;
			boolean last = over && !this.holding.keeps(hold) && !(lost && endedAtLoss(hold));
			if (last && passOn(hold, now)) {
				return new Release.NothingToSend();
			}
			if (last) {
				this.withdrawals.begin(hold.request(), hold.tenure().longestLease(), lost ? Ending.UNHEARD : ending);
			}
			contend();
			return lost ? new Release.Lost(hold.lostException())
					: last ? new Release.Sent() : new Release.NothingToSend();
		});
	}

	/**
	 * Gives back one acquisition of a hold that was lost and forgotten here. A renewal
	 * without an answer may have extended it in the store.
	 * @param hold the hold
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	boolean endLost(Hold hold) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return false;
			}
			if (hold.leave(hold.taker().shared()) && !endedAtLoss(hold)) {
				this.withdrawals.beginUnlessPending(hold.request(), hold.tenure().longestLease());
			}
			return true;
		});
	}

	/** Of what is shared only the last loss shows that the store need not keep it. */
	private static boolean endedAtLoss(Hold hold) {
		return hold.taker().shared();
	}

	private boolean passOn(Hold released, long now) {
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

	/**
	 * The hold of a thread, if it has one.
	 * @param thread the thread
	 * @param shared how it was acquired
	 */
	Optional<Hold> holdOf(Thread thread, boolean shared) {
		return this.monitor.call(() -> Optional.ofNullable(this.holding.ownedBy(thread, shared)));
	}

	/** Registers what to call when the hold is lost; at once if it is. */
	void onLost(Hold hold, Runnable callback) {
		this.monitor.run(() -> {
			if (this.holding.keeps(hold)) {
				this.holding.loseIfExpired(this.engine.now());
			}
			if (!hold.onLost(callback)) {
				this.monitor.afterwards(() -> this.engine.callBack(callback));
			}
		});
	}

	/** Turns away all who wait. */
	void refuseWaiters() {
		this.monitor.run(() -> {
			this.line.failAll(this.engine.shuttingDown(this.key));
			withdrawIfUnwanted();
		});
	}

	/** Gives up what is still to be ended in the store; the store is being stopped. */
	void abandon() {
		this.monitor.run(() -> {
			this.withdrawals.abandonAll();
			this.holding.abandonExtensions(this.engine.shuttingDown(this.key));
		});
	}

	/** Whether somebody in this process holds the lock. */
	boolean held() {
		return this.monitor.call(this.holding::isOwned);
	}

	/** Whether nobody in this process wants or holds it. */
	boolean vacant() {
		return this.monitor.call(this::isVacant);
	}

	private boolean isVacant() {
		return this.line.isEmpty() && this.holding.isFree();
	}

	/** Who has it, as far as known here. */
	@Nullable Holder holder() {
		return this.monitor.call(this::knownHolder);
	}

	/** Whether the store has still to be told of something before it is stopped. */
	boolean unsettled() {
		return this.monitor.call(() -> !this.withdrawals.isEmpty() || this.holding.minimumUntold());
	}

	// What the store tells unasked, and the housekeeper

	/**
	 * A queued request was granted; possibly one that is over here.
	 * @param request the request
	 * @param grant the hold
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	boolean grantedUnasked(RequestId request, Grant grant) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return false;
			}
			Hold hold = this.holding.current();
			boolean known = this.contest.granted(request, grant) || (hold != null && hold.request().equals(request));
			if (!known) {
				this.withdrawals.beginUnlessPending(request, this.engine.defaultLease());
			}
			return true;
		});
	}

	/** Another process began to wait for the lock. */
	void contended() {
		this.monitor.run(() -> {
			this.holding.contended(this.engine.now());
			this.contest.contended();
		});
	}

	/** Grants may have been missed. */
	void reconnected() {
		this.monitor.run(this.contest::hurry);
	}

	/** A clock jumped: nobody knows how much of the lease is left. */
	void suspect() {
		this.monitor.run(() -> this.holding.suspect(this.engine.now()));
	}

	@Override
	public void tick() {
		this.monitor.run(() -> {
			long now = this.engine.now();
			this.holding.loseIfExpired(now);
			endMinimum(now);
			this.line.alarmed(now).forEach(this::timeIsOver);
			this.contest.tick(now);
			this.holding.tick(now);
			this.withdrawals.tick(now);
		});
	}

	private void endMinimum(long now) {
		Hold over = this.engine.finished() ? null : this.holding.endMinimum(now);
		if (over != null) {
			this.withdrawals.begin(over.request(), over.tenure().longestLease(), Ending.UNHEARD);
			contend();
		}
	}

	@Override
	public long due() {
		return this.due;
	}

	// How the contest in the store goes

	private void contend() {
		Waiter first = this.line.first();
		if (first != null && this.holding.isFree() && this.contest.isIdle()) {
			this.withdrawals.supersede();
			this.contest.enter(first, this.line.anyPatient(), this.tokens);
		}
	}

	/** Those at the head of the line who share what is held here. */
	private void letReadersIn() {
		Waiter first = this.line.first();
		while (first != null && first.shared() && this.holding.share(first)) {
			this.line.remove(first);
			first = this.line.first();
		}
	}

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

	@Override
	public void granted(Contender winner, Contest.Win win) {
		Waiter next = this.line.first();
		long now = this.engine.now();
		if (next == null || win.deadline() - now <= 0) {
			failOverdue(now);
			giveBack(winner);
		}
		else if (!next.sharing().equals(winner.speaker().sharing())) {
			giveBack(winner);
		}
		else if (win.confirmed() && next.lease().nanos() < winner.speaker().lease().nanos()) {
			// Asked for by somebody who has gone. The store would not shorten it.
			this.line.refuseOverdue(now, knownHolder());
			giveBack(winner);
		}
		else {
			this.line.remove(next);
			this.holding.begin(winner, win, next);
			letReadersIn();
			if (!this.holding.answerOwed()) {
				this.line.refuseOverdue(now, knownHolder());
			}
		}
	}

	/** Ends what was won, and contends anew for those who are left. */
	private void giveBack(Contender winner) {
		this.withdrawals.begin(winner.request(), winner.speaker().lease());
		contend();
	}

	@Override
	public void refused(@Nullable Holder holder) {
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
		this.line.failOverdue(now, this.engine.unanswered(this.key, null));
	}

	/**
	 * The outcome is unknown: nobody gets the lock here, and the request is ended there.
	 */
	@Override
	public void failed(LockStoreException cause) {
		this.line.failAll(cause);
		withdrawIfUnwanted();
	}

	private void withdrawIfUnwanted() {
		if (this.line.isEmpty()) {
			this.contest.withdraw();
		}
		if (!this.contest.isFor(this.line.first())) {
			this.contest.withdraw();
			contend();
		}
	}

	private @Nullable Holder knownHolder() {
		Hold hold = this.holding.anyones();
		return (hold != null) ? this.engine.describe(hold) : this.contest.holder();
	}

	// Leaving the monitor

	private void settle() {
		if (this.holding.isShared()) {
			letReadersIn();
		}
		if (this.slot != null) {
			tellVacancy(this.slot);
		}
		if (!this.retired && this.line.isEmpty() && this.contest.isIdle() && this.holding.isEmpty()
				&& this.withdrawals.isEmpty()) {
			this.retired = true;
			forget();
		}
		long latest = this.contest.dueBy(this.engine.never());
		this.due = this.line.dueBy(this.withdrawals.dueBy(this.holding.dueBy(latest)));
	}

	private void tellVacancy(Slot slot) {
		if (isVacant() && !this.vacant) {
			this.vacant = true;
			this.monitor.afterwards(() -> this.engine.table().vacated(slot));
		}
	}

	private void forget() {
		if (this.slot != null) {
			this.engine.table().remove(this.slot, this);
		}
		else {
			this.engine.table().remove(this.key, this);
		}
	}

	private void planVisit() {
		this.engine.wakeBy(this.due);
	}

}
