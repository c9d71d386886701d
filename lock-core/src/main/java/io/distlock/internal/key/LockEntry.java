package io.distlock.internal.key;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.ownership.LocalHolds;
import io.distlock.internal.request.Acquirer;
import io.distlock.internal.request.Finisher;
import io.distlock.internal.request.Release;
import io.distlock.internal.request.Renewer;
import io.distlock.internal.waiting.WaitQueue;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * One key: its state in this process, and the monitor that guards it. Each event (a
 * caller, an answer, a message, the housekeeper) comes in here and changes what is known.
 * {@link #settle()} then sends what the new state still demands.
 * <p>
 * The entry and three parts of it move the key from one state to the next; no other class
 * does. {@link Waiters} decides about those who wait here, in arrival order.
 * {@link Contender} competes in the store for the first of them, as in the store only the
 * process competes, not each waiter. {@link LeaseKeeper} keeps the lock and gives it on.
 * <p>
 * Handling never blocks in the monitor. Commands are sent under it, so that they arrive
 * in the order of the states. The entry is dropped when nothing is left.
 * <p>
 * Invariant: while a waiter is queued, there is a request or a lease, or the store has
 * yet to confirm that it keeps the lock for a minimum hold. There are both a request and
 * a lease only while readers hold the lock and a writer is next. The request of that
 * writer makes the store keep out readers of other processes.
 */
public final class LockEntry extends Monitor implements Waiter.QueueOwner {

	private final String key;

	private final EngineContext engine;

	private final Consumer<LockEntry> dropped;

	private final Supplier<? extends @Nullable Monitor> semaphore;

	private final WaitQueue queue = new WaitQueue(this);

	private final LocalHolds holds;

	private final Finisher finisher;

	private final Acquirer acquirer;

	private final Renewer renewer;

	private final Waiters waiters;

	private final Contender contender;

	private final LeaseKeeper keeper;

	private boolean retired;

	/**
	 * Creates the entry of a lock, or of a permit.
	 * @param key the key, also of all permits of a semaphore
	 * @param slot which permit, from 1; 0 for a lock
	 * @param engine what all keys share
	 * @param dropped called under the monitor when nothing is left
	 * @param slotListener notified, outside the monitor, of news that may concern the
	 * other waiters for permits; {@code null} for a lock
	 * @param semaphore returns the monitor of the permit's semaphore; {@code null} for a
	 * lock
	 */
	public LockEntry(String key, int slot, EngineContext engine, Consumer<LockEntry> dropped,
			@Nullable Consumer<SlotNews> slotListener, Supplier<? extends @Nullable Monitor> semaphore) {
		super(engine.wakeTime(), engine.never());
		this.key = key;
		this.engine = engine;
		this.dropped = dropped;
		this.semaphore = semaphore;
		this.finisher = new Finisher(key, engine, this);
		this.acquirer = new Acquirer(key, slot, engine, this, this::answered);
		this.renewer = new Renewer(key, engine, this, this::renewed);
		this.holds = new LocalHolds(key, engine, this);
		this.waiters = new Waiters(key, engine, this, this.queue, this.holds, this.acquirer, slotListener);
		this.contender = new Contender(key, engine, this, this.queue, this.waiters, this.holds, this.acquirer,
				this.renewer, this.finisher);
		this.keeper = new LeaseKeeper(key, engine, this, this.queue, this.waiters, this.holds, this.acquirer,
				this.renewer, this.finisher);
	}

	/** Returns the key. */
	public String key() {
		return this.key;
	}

	// What callers want

	/**
	 * Queues a waiter, or lets it enter the hold that its thread has.
	 * @param waiter the waiter
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	public boolean join(Waiter waiter) {
		enter();
		try {
			if (this.retired) {
				return false;
			}
			if (this.waiters.join(waiter)) {
				// Now, because the answer may already decide for an impatient waiter.
				this.contender.contend();
				afterAsking(waiter);
			}
			return true;
		}
		finally {
			leave();
		}
	}

	/** Completes the join of a waiter. The store was asked before, if that was needed. */
	private void afterAsking(Waiter waiter) {
		this.waiters.admitReaders();
		this.keeper.reserveTokens();
		if (waiter.isObserved() && !waiter.ended() && !this.holds.isFree()) {
			waiter.waitsFor(this.waiters.knownHolder(), this);
		}
		if (!waiter.patient()) {
			this.waiters.timeIsOver(waiter);
		}
	}

	@Override
	public void overdue(Waiter waiter) {
		run(() -> this.waiters.timeIsOver(waiter));
	}

	@Override
	public boolean cancel(Waiter waiter) {
		return call(() -> {
			if (waiter.ended()) {
				return false;
			}
			this.queue.remove(waiter);
			this.holds.forgetExtension(waiter);
			waiter.end(new Outcome.Cancelled(), this);
			return true;
		});
	}

	/**
	 * Releases one acquisition. A lost hold is ended in the store too, because a renewal
	 * without an answer may have extended it there.
	 * @param release what to release
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	public boolean release(Release release) {
		enter();
		try {
			if (this.retired) {
				return false;
			}
			this.keeper.release(release);
			return true;
		}
		finally {
			leave();
		}
	}

	/**
	 * Lets an owner ask about its hold or change it.
	 * @param <T> type of the answer
	 * @param question the question or the change
	 * @return the answer
	 */
	public <T extends @Nullable Object> T ask(Function<LocalHolds, T> question) {
		return call(() -> question.apply(this.holds));
	}

	/**
	 * Returns the hold of a thread, as {@link LocalHolds#ownedBy} does. Allocates nothing
	 * unless a hold has expired.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 * @return the hold, or {@code null} if it has none
	 */
	public @Nullable Hold ownedBy(Thread thread, boolean shared) {
		enter();
		try {
			return this.holds.ownedBy(thread, shared);
		}
		finally {
			leave();
		}
	}

	/**
	 * Lets an owner change its hold.
	 * @param change the change
	 */
	public void tell(Consumer<LocalHolds> change) {
		run(() -> change.accept(this.holds));
	}

	/** Refuses all waiters, because the engine shuts down. */
	public void refuseWaiters() {
		run(() -> this.queue.failAll(this.engine.messages().shuttingDown(this.key)));
	}

	/**
	 * Gives up the requests that must still be ended in the store, because the store is
	 * stopped.
	 */
	public void abandon() {
		run(() -> {
			this.finisher.abandonAll();
			this.holds.failExtensions(this.engine.messages().notExtended(this.key));
		});
	}

	/** Returns whether the lock has an owner in this process. */
	public boolean held() {
		return look(() -> !this.holds.isFree());
	}

	/** Returns whether a waiter waits here. */
	boolean awaits(Waiter waiter) {
		return look(() -> this.queue.contains(waiter));
	}

	/** Returns whether the lock has neither waiters nor an owner in this process. */
	public boolean vacant() {
		return look(this.waiters::isVacant);
	}

	/** Returns whether the store owes an answer that decides whether the lock is free. */
	boolean answerOwed() {
		return look(this.acquirer::answerOwed);
	}

	/** Returns why that answer is not waited for any longer, or {@code null}. */
	@Nullable LockStoreException lateness() {
		return look(this.acquirer::lateness);
	}

	/** Returns the holder of the lock, as far as this process knows it. */
	@Nullable Holder holder() {
		return look(this.waiters::knownHolder);
	}

	/**
	 * Shows the holds and the waiters of this process at the same moment.
	 * @param holds gets the hold of each owner
	 * @param waiters gets each waiter
	 */
	public void visit(Consumer<? super Hold> holds, Consumer<? super Waiter> waiters) {
		run(() -> {
			this.holds.visit(holds);
			this.queue.forEach(waiters);
		});
	}

	/** Returns whether a command must still reach the store before it is stopped. */
	public boolean unsettled() {
		return look(() -> !this.finisher.isEmpty());
	}

	// What the store reports unasked, and the housekeeper

	/**
	 * Handles the message that a request was granted. Only the current request counts.
	 * The end of an earlier request is sent until the store confirms it, so that request
	 * needs no message.
	 * @param request the request
	 * @param grant the hold
	 */
	public void pushed(RequestId request, Grant grant) {
		run(() -> {
			if (!this.acquirer.isCurrent(request)) {
				return;
			}
			if (this.holds.isFree()) {
				answered(this.acquirer.pushed(grant));
			}
			else {
				// Readers here hold the lock. Only an answer of the store, not a
				// message, can show that it has forgotten them.
				this.acquirer.hurry();
			}
		});
	}

	/** Notes that another process began to wait for the lock. */
	public void contended() {
		run(() -> {
			// While readers here hold the lock, the reported waiter is behind them. The
			// request of a writer here is behind them too, or is itself the reported
			// waiter.
			boolean concernsRequest = this.holds.isFree();
			this.renewer.contended();
			if (concernsRequest) {
				this.acquirer.contended();
			}
		});
	}

	/** Repeats the request at once, because pushed grants may have been missed. */
	public void reconnected() {
		run(this.acquirer::hurry);
	}

	/** Sends the commands that were held back, because the store answers again. */
	public void recovered() {
		run(this.acquirer::resume);
	}

	/**
	 * Confirms the lease now, even a fixed one. Another server has taken over, which may
	 * not know the lease.
	 */
	public void failedOver() {
		run(() -> {
			this.acquirer.hurry();
			this.renewer.confirm();
		});
	}

	/**
	 * Renews the lease now, even a fixed one, because the store may have released the
	 * hold by force. Only the answer to that renewal counts. A hold whose grant is still
	 * under way may have been released too.
	 */
	public void revoked() {
		run(() -> {
			this.renewer.confirm();
			this.acquirer.revoked();
		});
	}

	/**
	 * Renews the lease now, because a clock jumped. Until the renewal the rest of the
	 * lease is not certain.
	 */
	public void suspect() {
		run(this.renewer::suspect);
	}

	@Override
	public void tick() {
		run(() -> {
			long now = this.engine.now();
			this.queue.timedOut(now).forEach(this.waiters::timeIsOver);
			answered(this.acquirer.tick(now, this.finisher));
			if (this.acquirer.becomesLate(now)) {
				this.waiters.failOverdue(this.acquirer.unanswered());
			}
			if (this.holds.tick(now)) {
				this.keeper.failReaders();
			}
			this.finisher.tick(now);
		});
	}

	// Answers of the store

	private void answered(Acquirer.Verdict verdict) {
		this.contender.answered(verdict);
	}

	private void renewed(Renewer.Answer answer) {
		this.keeper.renewed(answer);
	}

	// Entering and leaving the monitor

	/** Marks expired holds as lost. */
	@Override
	protected void arrive() {
		this.keeper.loseExpired();
	}

	@Override
	public void callFailed(LockStoreException failure) {
		this.engine.commands().outage().callFailed(failure, this);
	}

	@Override
	protected @Nullable Monitor enclosing() {
		return this.semaphore.get();
	}

	/**
	 * Sends what the state demands: the end of a request that nobody wants, the request
	 * of the first waiter, the renewal that is due. A store may answer at once.
	 */
	@Override
	protected long settle() {
		this.queue.dropDead();
		if (this.holds.isRead()) {
			this.waiters.admitReaders();
		}
		// At most one renewal, because it stays due while too little of the lease is
		// left.
		boolean renewed = false;
		boolean sent;
		do {
			this.contender.withdrawIfUnwanted();
			sent = this.contender.contend();
			if (!renewed && this.keeper.renewIfDue()) {
				renewed = true;
				sent = true;
			}
		}
		while (sent);
		this.waiters.announceVacancy();
		boolean over = this.queue.isEmpty() && this.acquirer.isIdle() && this.holds.isEmpty()
				&& this.finisher.isEmpty();
		if (over && !this.retired) {
			this.retired = true;
			this.dropped.accept(this);
		}
		long latest = this.queue.dueBy(this.finisher.dueBy(this.acquirer.dueBy(this.engine.never())));
		return this.holds.dueBy(this.renewer.dueBy(latest));
	}

}
