package io.distlock.internal;

import java.util.Optional;

import io.distlock.Holder;
import io.distlock.LockException;
import io.distlock.LockStoreException;
import io.distlock.spi.Grant;
import io.distlock.spi.KeyText;
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
final class LockEntry implements Contest.Result {

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor = new Monitor(this::settle, this::planVisit);

	private final WaitingLine line = new WaitingLine(this.monitor);

	private final Withdrawals withdrawals;

	private final Holding holding;

	private final Contest contest;

	private int tokens = Tenure.FIRST_TOKENS;

	private boolean retired;

	private volatile long due;

	LockEntry(String key, EngineContext engine) {
		this.key = key;
		this.engine = engine;
		this.withdrawals = new Withdrawals(key, engine, this.monitor);
		StoreTime storeTime = new StoreTime(engine.clock(), engine.watch());
		this.contest = new Contest(key, engine, this.monitor, this.withdrawals, storeTime, this);
		this.holding = new Holding(key, engine, this.monitor, storeTime, this::contend);
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
			Hold hold = this.holding.current();
			if (hold != null && hold.ownedBy(waiter.thread())) {
				this.holding.reenter(hold, waiter);
			}
			else if (this.line.length() >= waiter.maxWaiters()) {
				waiter.end(new Waiter.Outcome.Crowded(knownHolder()), this.monitor);
			}
			else {
				lineUp(waiter);
				contend();
				this.holding.waiting(this.line);
				if (!waiter.patient()) {
					timeIsOver(waiter);
				}
			}
			return true;
		});
	}

	private void lineUp(Waiter waiter) {
		if (this.engine.accepting()) {
			this.line.add(waiter);
		}
		else {
			waiter.end(new Waiter.Outcome.Failed(shuttingDown()), this.monitor);
		}
	}

	/** The waiter's time is over: busy, unless the store still owes an answer. */
	void overdue(Waiter waiter) {
		this.monitor.run(() -> timeIsOver(waiter));
	}

	private void timeIsOver(Waiter waiter) {
		waiter.markOverdue();
		if (this.line.contains(waiter) && !this.contest.answerOwed()) {
			this.line.refuse(waiter, knownHolder());
			withdrawIfUnwanted();
		}
	}

	/**
	 * The waiter goes away.
	 * @param waiter who
	 * @return {@code false} if its outcome was decided before
	 */
	boolean cancel(Waiter waiter) {
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
	 * Gives back one acquisition of a hold.
	 * @param hold the hold
	 * @param ending told how the release ended, if one is sent
	 * @return what became of it, or {@code null} if this entry was dropped: the hold was
	 * lost, and nobody would repeat what is sent from here
	 */
	@Nullable Release release(Hold hold, Ending ending) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return null;
			}
			long now = this.engine.now();
			if (hold == this.holding.current()) {
				this.holding.loseIfExpired(now);
			}
			boolean last = this.holding.leave(hold);
			if (last || hold.state() == Hold.State.KEPT) {
				// Threads about to nest, whose hold another thread closed: they want a
				// new one.
				hold.takeExtensions().forEach(this::lineUp);
			}
			if (last && passOn(hold, now)) {
				return new Release.NothingToSend();
			}
			boolean lost = hold.state() == Hold.State.LOST;
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
			if (hold.leave()) {
				this.withdrawals.beginUnlessPending(hold.request(), hold.tenure().longestLease());
			}
			return true;
		});
	}

	private boolean passOn(Hold released, long now) {
		Waiter next = this.line.first();
		if (next == null || released.state() != Hold.State.RELEASED
				|| !released.tenure().mayPass(released.deadline() - now, next.lease(), now)) {
			this.tokens = (next != null && released.tenure().ranOut()) ? Tenure.MORE_TOKENS : Tenure.FIRST_TOKENS;
			return false;
		}
		this.line.remove(next);
		this.holding.pass(released, next, now, this.line);
		return true;
	}

	/** The hold of a thread, if it has one. */
	Optional<Hold> holdOf(Thread thread) {
		return this.monitor.call(() -> Optional.ofNullable(this.holding.ownedBy(thread)));
	}

	/** Registers what to call when the hold is lost; at once if it is. */
	void onLost(Hold hold, Runnable callback) {
		this.monitor.run(() -> {
			if (hold == this.holding.current()) {
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
			this.line.failAll(shuttingDown());
			withdrawIfUnwanted();
		});
	}

	/** Gives up what is still to be ended in the store; the store is being stopped. */
	void abandon() {
		this.monitor.run(() -> {
			this.withdrawals.abandonAll();
			this.holding.abandonExtensions(shuttingDown());
		});
	}

	/** Whether somebody in this process holds the lock. */
	boolean held() {
		return this.monitor.call(this.holding::isOwned);
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
			Hold hold = this.holding.current();
			if (hold != null) {
				hold.tenure().contended(this.engine.now());
			}
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

	/** Does what is due. */
	void tick() {
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

	/** When {@link #tick()} must be called, at the latest. */
	long due() {
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

	@Override
	public void granted(Contender winner, Contest.Win win) {
		Waiter next = this.line.first();
		long now = this.engine.now();
		if (next == null || win.deadline() - now <= 0) {
			failOverdue(now);
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
			this.line.refuseOverdue(now, knownHolder());
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
	}

	private @Nullable Holder knownHolder() {
		Hold hold = this.holding.current();
		return (hold != null) ? this.engine.describe(hold) : this.contest.holder();
	}

	private LockException shuttingDown() {
		return new LockException(
				"Lock '" + KeyText.of(this.key) + "' was not acquired: the lock template is shutting down", null);
	}

	// Leaving the monitor

	private void settle() {
		if (!this.retired && this.line.isEmpty() && this.contest.isIdle() && this.holding.isEmpty()
				&& this.withdrawals.isEmpty()) {
			this.retired = true;
			this.engine.forget(this.key, this);
		}
		long latest = this.contest.dueBy(this.engine.never());
		this.due = this.line.dueBy(this.withdrawals.dueBy(this.holding.dueBy(latest)));
	}

	private void planVisit() {
		this.engine.wakeBy(this.due);
	}

}
