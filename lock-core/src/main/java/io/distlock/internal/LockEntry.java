package io.distlock.internal;

import io.distlock.Holder;
import io.distlock.LockException;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * All there is about one key in this process: the threads that want it, the one request
 * or hold in the store, and what is still to be ended there. Threads queue here in
 * arrival order and only the process contends in the store.
 * <p>
 * Driven by events (a caller, an answer, the housekeeper), each handled under the monitor
 * and never blocking there. Commands are sent under the monitor, so that their order is
 * the order of the states. The entry is dropped from the table when nothing is left.
 * <p>
 * Invariant: at most one of contender and hold exists, and while a thread waits in line
 * one of them does.
 */
final class LockEntry {

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor = new Monitor(this::settle, this::planVisit);

	private final WaitingLine line = new WaitingLine(this.monitor);

	private final Withdrawals withdrawals;

	private final Holding holding;

	private @Nullable Contender contender;

	private boolean retired;

	private volatile long due;

	LockEntry(String key, EngineContext engine) {
		this.key = key;
		this.engine = engine;
		this.withdrawals = new Withdrawals(key, engine, this.monitor);
		this.holding = new Holding(key, engine, this.monitor, this::contend);
		this.due = engine.now() + LocalDeadline.FOREVER_NANOS;
	}

	// What callers want

	/**
	 * Lets a thread wait for the lock, or enter the hold it has.
	 * @param waiter the thread
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	boolean join(Waiter waiter) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return false;
			}
			this.holding.loseIfExpired();
			Hold hold = this.holding.current();
			if (hold != null && hold.ownedBy(waiter.owner())) {
				this.holding.reenter(hold, waiter);
			}
			else if (this.engine.accepting()) {
				this.line.add(waiter);
				contend();
			}
			else {
				waiter.end(new Waiter.Outcome.Failed(shuttingDown()), this.monitor);
			}
			return true;
		});
	}

	/** The thread's time is over: busy, unless the store still owes an answer. */
	void overdue(Waiter waiter) {
		this.monitor.run(() -> {
			waiter.markOverdue();
			boolean answerOwed = this.contender != null && this.contender.unanswered();
			if (this.line.contains(waiter) && !answerOwed) {
				this.line.refuse(waiter, knownHolder());
				withdrawIfUnwanted();
			}
		});
	}

	/**
	 * The thread goes away.
	 * @param waiter the thread
	 * @return {@code false} if its outcome was decided before
	 */
	boolean cancel(Waiter waiter) {
		return this.monitor.call(() -> {
			if (waiter.isSet()) {
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
	 * @return what became of it
	 */
	Release release(Hold hold) {
		return this.monitor.call(() -> {
			if (hold == this.holding.current()) {
				this.holding.loseIfExpired();
			}
			boolean last = this.holding.leave(hold);
			Withdrawal ending = last ? this.withdrawals.begin(hold.request(), hold.renewal().lease()) : null;
			contend();
			return (hold.state() == Hold.State.LOST) ? new Release.Lost(hold.lostException())
					: (ending != null) ? new Release.Sent(ending) : new Release.StillHeld();
		});
	}

	/** The hold of a thread, or {@code null}. */
	@Nullable Hold holdOf(Thread thread) {
		Hold[] found = new Hold[1];
		this.monitor.run(() -> found[0] = this.holding.ownedBy(thread));
		return found[0];
	}

	/** Registers what to call when the hold is lost; at once if it is. */
	void onLost(Hold hold, Runnable callback) {
		this.monitor.run(() -> {
			if (hold == this.holding.current()) {
				this.holding.loseIfExpired();
			}
			if (!hold.onLost(callback)) {
				this.monitor.afterwards(() -> this.engine.callBack(callback));
			}
		});
	}

	/** Turns away all threads that wait. */
	void refuseWaiters() {
		this.monitor.run(() -> {
			this.line.failAll(shuttingDown());
			withdrawIfUnwanted();
		});
	}

	/** Whether a thread of this process holds the lock. */
	boolean held() {
		return this.monitor.call(() -> !this.holding.isFree());
	}

	/** Whether something is still to be ended in the store. */
	boolean withdrawing() {
		return this.monitor.call(() -> !this.withdrawals.isEmpty());
	}

	// What the store tells unasked, and the housekeeper

	/**
	 * A queued request was granted; possibly one that is over here.
	 * @param request the request
	 * @param grant the hold
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	boolean granted(RequestId request, Grant grant) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return false;
			}
			Hold hold = this.holding.current();
			if (this.contender != null && this.contender.request().equals(request)) {
				grantedUnasked(this.contender, grant);
			}
			else if (hold == null || !hold.request().equals(request)) {
				this.withdrawals.beginUnlessPending(request, this.engine.defaultLease());
			}
			return true;
		});
	}

	/** Grants may have been missed. */
	void reconnected() {
		this.monitor.run(() -> {
			if (this.contender != null) {
				this.contender.hurry(this.engine.now());
			}
		});
	}

	/** Does what is due. */
	void tick() {
		this.monitor.run(() -> {
			this.holding.loseIfExpired();
			long now = this.engine.now();
			tickContender(now);
			this.holding.tick(now);
			this.withdrawals.tick(now);
		});
	}

	/** When {@link #tick()} must be called, at the latest. */
	long due() {
		return this.due;
	}

	// Contending in the store

	private void contend() {
		Waiter first = this.line.first();
		if (first != null && this.holding.isFree() && this.contender == null) {
			this.contender = new Contender(this.engine.nextRequest(), first, this.line.anyPatient());
			ask(this.contender);
		}
	}

	private void ask(Contender asking) {
		long sentAt = this.engine.now();
		asking.sent(sentAt);
		this.engine.acquire(this.key, asking)
			.whenComplete((result, failure) -> this.monitor.run(() -> answered(asking, sentAt, result, failure)));
	}

	private void answered(Contender asked, long sentAt, @Nullable AcquireResult result, @Nullable Throwable failure) {
		if (asked != this.contender) {
			// Ended here meanwhile; its withdrawal follows this command.
			return;
		}
		if (result instanceof AcquireResult.Granted granted) {
			hold(asked, granted.grant(), LocalDeadline.after(sentAt, granted.grant().remainingMillis()));
		}
		else if (result instanceof AcquireResult.Queued queued) {
			asked.queued(queued, sentAt, this.engine.now());
			this.line.refuseOverdue(this.engine.now(), queued.holder());
			withdrawIfUnwanted();
		}
		else if (result instanceof AcquireResult.Busy busy) {
			this.contender = null;
			this.line.refuseOverdue(this.engine.now(), busy.holder());
			contend();
		}
		else if (result instanceof AcquireResult.Ended) {
			this.contender = null;
			contend();
		}
		else {
			failed(asked, failure);
		}
	}

	private void failed(Contender asked, @Nullable Throwable failure) {
		LockStoreException cause = this.engine.storeFailure(this.key, failure);
		long now = this.engine.now();
		if (cause instanceof TransientStoreException && !asked.givenUp(now, this.engine.timeoutNanos())) {
			asked.failed(now, cause);
		}
		else {
			giveUp(cause);
		}
	}

	/**
	 * The outcome is unknown: nobody gets the lock here, and the request is ended there.
	 */
	private void giveUp(LockStoreException cause) {
		this.line.failAll(cause);
		withdrawIfUnwanted();
	}

	private void tickContender(long now) {
		Contender current = this.contender;
		if (current == null) {
			return;
		}
		if (current.givenUp(now, this.engine.timeoutNanos())) {
			giveUp(this.engine.unanswered(this.key, current.lastFailure()));
		}
		else if (current.sendDue(now)) {
			ask(current);
		}
	}

	private void grantedUnasked(Contender current, Grant grant) {
		long now = this.engine.now();
		long deadline = current.believeUntil(grant, now);
		if (deadline - now < EngineContext.SHORTEST_BELIEF_NANOS) {
			// Too little is known, or left: the answer to a repetition settles it.
			current.hurry(now);
			return;
		}
		hold(current, grant, deadline);
		Hold hold = this.holding.current();
		if (hold != null) {
			// The claim is short; the housekeeper confirms it, off the way to the waiter.
			hold.renewal().hurry(now);
		}
	}

	private void hold(Contender asked, Grant grant, long deadline) {
		this.contender = null;
		Waiter next = this.line.first();
		long now = this.engine.now();
		if (next == null || deadline - now <= 0) {
			this.withdrawals.begin(asked.request(), asked.speaker().lease());
			contend();
			return;
		}
		this.line.remove(next);
		Hold hold = new Hold(this.key, asked.request(), next, grant, deadline, this.engine.clock());
		if (!next.lease().duration().equals(asked.speaker().lease().duration())) {
			// The store granted the lease of a thread that has gone; ask for this one's.
			hold.endNoLaterThan(LocalDeadline.after(now, next.lease().duration().toMillis()));
			hold.renewal().hurry(now);
		}
		this.holding.begin(hold);
		next.end(new Waiter.Outcome.Granted(hold), this.monitor);
		this.line.refuseOverdue(now, knownHolder());
	}

	private void withdrawIfUnwanted() {
		Contender current = this.contender;
		if (current != null && this.line.isEmpty()) {
			this.contender = null;
			this.withdrawals.begin(current.request(), current.speaker().lease());
		}
	}

	private @Nullable Holder knownHolder() {
		Hold hold = this.holding.current();
		if (hold != null) {
			return this.engine.describe(hold);
		}
		return (this.contender != null) ? this.contender.holder() : null;
	}

	private LockException shuttingDown() {
		return new LockException("Lock '" + this.key + "' was not acquired: the lock template is shutting down", null);
	}

	// Leaving the monitor

	private void settle() {
		if (!this.retired && this.contender == null && this.line.isEmpty() && this.holding.isEmpty()
				&& this.withdrawals.isEmpty()) {
			this.retired = true;
			this.engine.forget(this.key, this);
		}
		long next = this.engine.now() + LocalDeadline.FOREVER_NANOS;
		if (this.contender != null) {
			next = LocalDeadline.earlier(next, this.contender.due(this.engine.timeoutNanos()));
		}
		this.due = this.withdrawals.dueBy(this.holding.dueBy(next));
	}

	private void planVisit() {
		this.engine.wakeBy(this.due);
	}

}
