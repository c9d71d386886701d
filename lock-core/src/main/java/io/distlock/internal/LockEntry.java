package io.distlock.internal;

import java.util.Optional;
import java.util.function.Predicate;

import io.distlock.Holder;
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
 */
final class LockEntry implements Tended, WaitingPlace {

	private final String key;

	/** Of a semaphore, for which this is one permit. */
	private final @Nullable Slot slot;

	private final EngineContext engine;

	private final Monitor monitor = new Monitor(this::settle, this::planVisit);

	private final Admission admission;

	private final WaitingLine line;

	private final Withdrawals withdrawals;

	private final Upkeep upkeep;

	private final Holding holding;

	private final Contest contest;

	private final SlotNews news;

	private boolean retired;

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
		this.news = new SlotNews(slot, engine.table(), this.monitor);
		this.admission = new Admission(key, (slot != null) ? slot.number() : 0, engine, this.monitor, this.news);
		this.line = this.admission.line();
		this.withdrawals = this.admission.withdrawals();
		this.upkeep = this.admission.upkeep();
		this.holding = this.admission.holding();
		this.contest = this.admission.contest();
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
			this.news.wanted();
			this.admission.join(waiter);
			return true;
		});
	}

	@Override
	public void overdue(Waiter waiter) {
		this.monitor.run(() -> this.admission.timeIsOver(waiter));
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
			this.admission.withdrawIfUnwanted();
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
			loseIfExpired(hold, now);
			boolean over = this.holding.leave(hold, shared);
			if (over || hold.state() == Hold.State.KEPT) {
				// Threads about to nest, whose hold another thread closed: they want a
				// new one.
				hold.takeExtensions().forEach(this.admission::lineUp);
			}
			boolean lost = hold.state() == Hold.State.LOST;
			boolean last = over && !this.holding.keeps(hold) && !(lost && Admission.endedAtLoss(hold));
			if (last && this.admission.passOn(hold, now)) {
				return new Release.NothingToSend();
			}
			if (last) {
				this.withdrawals.begin(hold.request(), hold.tenure().longestLease(), lost ? Ending.UNHEARD : ending);
			}
			this.admission.contend();
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
			if (hold.leave(hold.taker().shared()) && !Admission.endedAtLoss(hold)) {
				this.withdrawals.beginUnlessPending(hold.request(), hold.tenure().longestLease());
			}
			return true;
		});
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
			loseIfExpired(hold, this.engine.now());
			if (!hold.onLost(callback)) {
				this.monitor.afterwards(() -> this.engine.callBack(callback));
			}
		});
	}

	void forgetCallbacks(Hold hold, Predicate<Runnable> which) {
		this.monitor.run(() -> hold.forgetCallbacks(which));
	}

	/** Whether a hold is still held; if its time is over it is lost from here on. */
	boolean believes(Hold hold) {
		return this.monitor.call(() -> {
			loseIfExpired(hold, this.engine.now());
			return this.holding.keeps(hold) && hold.state() == Hold.State.HELD;
		});
	}

	private void loseIfExpired(Hold hold, long now) {
		if (this.holding.keeps(hold)) {
			this.upkeep.loseIfExpired(now);
		}
	}

	/** Turns away all who wait. */
	void refuseWaiters() {
		this.monitor.run(() -> {
			this.line.failAll(this.engine.failures().shuttingDown(this.key));
			this.admission.withdrawIfUnwanted();
		});
	}

	/** Gives up what is still to be ended in the store; the store is being stopped. */
	void abandon() {
		this.monitor.run(() -> {
			this.withdrawals.abandonAll();
			this.holding.abandonExtensions(this.engine.failures().shuttingDown(this.key));
		});
	}

	/** Whether somebody in this process holds the lock. */
	boolean held() {
		return this.monitor.call(this.holding::isOwned);
	}

	/** Whether nobody in this process wants or holds it. */
	boolean vacant() {
		return this.monitor.call(this.admission::isVacant);
	}

	/** Whether the store owes an answer to whether the lock is free. */
	boolean answerOwed() {
		return this.monitor.call(this.contest::answerOwed);
	}

	/** Who has it, as far as known here. */
	@Nullable Holder holder() {
		return this.monitor.call(this.admission::knownHolder);
	}

	/** Whether the store has still to be told of something before it is stopped. */
	boolean unsettled() {
		return this.monitor.call(() -> !this.withdrawals.isEmpty() || this.holding.minimum().untold());
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
		this.monitor.run(() -> this.upkeep.suspect(this.engine.now()));
	}

	@Override
	public void tick() {
		this.monitor.run(() -> {
			long now = this.engine.now();
			this.upkeep.loseIfExpired(now);
			this.admission.endMinimum(now);
			this.line.alarmed(now).forEach(this.admission::timeIsOver);
			this.contest.tick(now);
			this.upkeep.tick(now);
			this.withdrawals.tick(now);
		});
	}

	@Override
	public long due() {
		return this.due;
	}

	// Leaving the monitor

	private void settle() {
		if (this.holding.isShared()) {
			this.admission.letReadersIn();
		}
		if (this.admission.isVacant()) {
			this.news.vacant();
		}
		if (!this.retired && this.admission.isOver()) {
			this.retired = true;
			forget();
		}
		long latest = this.contest.dueBy(this.engine.never());
		this.due = this.line.dueBy(this.withdrawals.dueBy(this.upkeep.dueBy(latest)));
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
