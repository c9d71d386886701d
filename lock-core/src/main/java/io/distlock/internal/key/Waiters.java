package io.distlock.internal.key;

import java.util.function.Consumer;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.ownership.LocalHolds;
import io.distlock.internal.request.Acquirer;
import io.distlock.internal.waiting.WaitQueue;
import io.distlock.internal.waiting.Waiter;
import io.distlock.observe.GrantKind;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the waiters of one key in this process: who joins the readers that hold
 * the lock, whose time is over, and who fails. Confined to the monitor of the key.
 */
final class Waiters {

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final WaitQueue queue;

	private final LocalHolds holds;

	private final Acquirer acquirer;

	/**
	 * Notified, outside the monitor, of news that may concern the other waiters for
	 * permits; {@code null} for a lock.
	 */
	private final @Nullable Consumer<SlotNews> slotListener;

	private boolean vacancyReported;

	Waiters(String key, EngineContext engine, Monitor monitor, WaitQueue queue, LocalHolds holds, Acquirer acquirer,
			@Nullable Consumer<SlotNews> slotListener) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
		this.queue = queue;
		this.holds = holds;
		this.acquirer = acquirer;
		this.slotListener = slotListener;
	}

	/** Queues a waiter. Returns {@code false} if the waiter already has its outcome. */
	boolean join(Waiter waiter) {
		this.vacancyReported = false;
		if (this.holds.reenter(waiter)) {
			return false;
		}
		if (waiter.isLimited() && this.queue.length() >= waiter.maxWaiters()) {
			waiter.end(new Outcome.TooManyWaiters(knownHolder()), this.monitor);
			return false;
		}
		enqueue(waiter);
		return true;
	}

	private void enqueue(Waiter waiter) {
		if (this.engine.accepting()) {
			this.queue.add(waiter);
		}
		else {
			waiter.fail(this.engine.messages().shuttingDown(this.key), this.monitor);
		}
	}

	/** Ends the wait of those whose time is over: the lock is busy. */
	void refuseOverdue(@Nullable Holder holder) {
		this.queue.refuseOverdue(this.engine.now(), holder);
	}

	/**
	 * Fails the waiters whose time is over. They get no second attempt, and the store did
	 * not say that the lock is busy.
	 */
	void failOverdue(LockStoreException cause) {
		this.queue.failOverdue(this.engine.now(), cause);
		announce(new SlotNews.Answered(cause));
	}

	/** Ends the wait of a waiter, unless the store still owes an answer. */
	void timeIsOver(Waiter waiter) {
		waiter.markOverdue();
		boolean decided = this.holds.isFree() ? !this.acquirer.answerOwed() : !this.holds.answerOwed();
		if (decided && this.queue.remove(waiter)) {
			waiter.end(new Outcome.Busy(knownHolder()), this.monitor);
		}
		LockStoreException late = (!decided && this.holds.isFree()) ? this.acquirer.lateness() : null;
		if (late != null && this.queue.remove(waiter)) {
			waiter.fail(late, this.monitor);
		}
	}

	/** Lets the readers at the head of the queue join the readers that hold the lock. */
	void admitReaders() {
		Waiter first = this.queue.first();
		while (first != null && first.shared() && admit(first)) {
			first = this.queue.first();
		}
	}

	private boolean admit(Waiter reader) {
		Hold hold = this.holds.join(reader);
		if (hold == null) {
			return false;
		}
		reader.grantedBy(GrantKind.HERE);
		reader.grant(hold, this.monitor);
		this.queue.remove(reader);
		return true;
	}

	/** Handles the answer for which the next reader in the queue has waited. */
	void probed() {
		admitReaders();
		if (!this.holds.answerOwed() && !this.queue.isEmpty()) {
			refuseOverdue(knownHolder());
		}
	}

	/** Returns whether the lock has neither waiters nor an owner in this process. */
	boolean isVacant() {
		return this.queue.isEmpty() && this.holds.isFree();
	}

	/** Returns the holder of the lock, as far as this process knows it. */
	@Nullable Holder knownHolder() {
		Hold hold = this.holds.first();
		return (hold != null) ? this.engine.describe(hold.owner(), hold.acquiredAt()) : this.acquirer.holder();
	}

	/** Tells the other waiters for permits. */
	void announce(SlotNews news) {
		Consumer<SlotNews> listener = this.slotListener;
		if (listener != null) {
			this.monitor.afterwards(() -> listener.accept(news));
		}
	}

	/** Tells the other waiters for permits, once, that this permit is vacant. */
	void announceVacancy() {
		if (isVacant() && !this.vacancyReported) {
			this.vacancyReported = true;
			announce(SlotNews.VACANT);
		}
	}

}
