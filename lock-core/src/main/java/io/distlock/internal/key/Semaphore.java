package io.distlock.internal.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.waiting.WaitQueue;
import io.distlock.internal.waiting.Waiter;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process that want permits of one key. Each permit has a
 * {@link Slot}, and each slot has a {@link LockEntry}, as a lock has. A vacant slot goes
 * to the waiter that came first. The other waiters wait here.
 * <p>
 * This monitor is entered before the monitor of a slot's entry, never from within it. So
 * an entry reports that it is vacant only after its monitor has been left.
 */
public final class Semaphore extends Monitor implements Waiter.QueueOwner {

	private final String key;

	private final EngineContext engine;

	private final Registry<Slot, LockEntry> slots;

	private final Consumer<Semaphore> dropped;

	private final WaitQueue queue = new WaitQueue(this);

	/**
	 * For each slot, the waiter that was last sent to it. The slot is removed when it is
	 * vacant.
	 */
	private final Map<Integer, Waiter> seats = new TreeMap<>();

	private final SlotNumbers numbers = new SlotNumbers();

	/**
	 * The waiters whose time is over, each with the slots for which the store owes an
	 * answer.
	 */
	private final Map<Waiter, Set<Integer>> undecided = new LinkedHashMap<>();

	private boolean serving;

	private boolean retired;

	/**
	 * Creates a semaphore without waiters.
	 * @param key the key
	 * @param engine what all keys share
	 * @param slots the entries of permits
	 * @param dropped called under the monitor when nothing is left
	 */
	public Semaphore(String key, EngineContext engine, Registry<Slot, LockEntry> slots, Consumer<Semaphore> dropped) {
		super(engine.wakeTime(), engine.never());
		this.key = key;
		this.engine = engine;
		this.slots = slots;
		this.dropped = dropped;
	}

	/**
	 * Returns the key.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Queues a waiter for a permit.
	 * @param waiter the waiter
	 * @return {@code false} if this semaphore was dropped and another one is to be used
	 */
	public boolean join(Waiter waiter) {
		enter();
		try {
			if (this.retired) {
				return false;
			}
			joined(waiter);
			return true;
		}
		finally {
			leave();
		}
	}

	private void joined(Waiter waiter) {
		if (!this.engine.accepting()) {
			waiter.fail(this.engine.messages().shuttingDown(this.key), this);
		}
		else if (waiter.isLimited() && waiting() >= waiter.maxWaiters()) {
			waiter.end(new Outcome.TooManyWaiters(knownHolder()), this);
		}
		else {
			this.queue.add(waiter);
			serve();
			// The entry of a slot notifies a waiter that has that slot.
			if (waiter.isObserved() && this.queue.contains(waiter)) {
				waiter.waitsFor(knownHolder(), this);
			}
			if (!waiter.patient()) {
				timeIsOver(waiter);
			}
		}
	}

	/**
	 * Shows the waiters that have no slot yet. The other waiters wait at their slots.
	 * @param waiters gets each waiter
	 */
	public void visit(Consumer<? super Waiter> waiters) {
		run(() -> this.queue.forEach(waiters));
	}

	private long waiting() {
		return this.queue.length() + this.seats.values().stream().filter((waiter) -> !waiter.ended()).count();
	}

	/**
	 * Sends the first waiters to vacant slots. A slot is vacant again if its waiter fails
	 * at once.
	 */
	private void serve() {
		if (this.serving) {
			return;
		}
		this.serving = true;
		try {
			Waiter first = this.queue.first();
			while (first != null && first.sharing().admits(this.seats.size())) {
				seat(first, this.numbers.take());
				first = this.queue.first();
			}
		}
		finally {
			this.serving = false;
		}
	}

	/**
	 * Moves a waiter from the queue to a slot. After an error it is still in the queue,
	 * unless the slot has it.
	 */
	private void seat(Waiter waiter, int number) {
		boolean seated = false;
		try {
			this.seats.put(number, waiter);
			this.slots.with(new Slot(this.key, number), waiter, LockEntry::join);
			seated = true;
		}
		finally {
			if (seated || waiter.ended() || awaits(number, waiter)) {
				this.queue.remove(waiter);
			}
			else if (isVacant(number)) {
				this.seats.remove(number);
				this.numbers.giveBack(number);
			}
		}
	}

	private boolean awaits(int number, Waiter waiter) {
		LockEntry entry = entry(number);
		return entry != null && entry.awaits(waiter);
	}

	private boolean isVacant(int number) {
		LockEntry entry = entry(number);
		return entry == null || entry.vacant();
	}

	/**
	 * Sends the next waiter to the slot of a permit that is about to be released. The
	 * permit may then be handed to that waiter without a command.
	 * @param hold the permit
	 */
	public void handOff(Hold hold) {
		int number = hold.request().slot();
		run(() -> {
			Waiter next = this.queue.first();
			if (next != null && hold.isHeld() && isSeat(number, hold) && next.sharing().admits(this.seats.size() - 1)) {
				seat(next, number);
			}
		});
	}

	/**
	 * Handles the news of a slot.
	 * @param number the number of the slot
	 * @param news the news
	 */
	public void slotChanged(int number, SlotNews news) {
		if (news instanceof SlotNews.Answered answered) {
			run(() -> decide(number, answered.failure()));
		}
		else if (news instanceof SlotNews.StoreFailed failed) {
			run(() -> fail(failed.cause()));
		}
		else {
			run(() -> vacated(number));
		}
	}

	/**
	 * Fails all waiters when the store does not answer, as a lock does with its waiters.
	 */
	private void fail(LockStoreException cause) {
		this.queue.failAll(cause);
		decide();
	}

	/** Handles the news that a slot had neither waiters nor an owner a moment ago. */
	private void vacated(int number) {
		if (isVacant(number)) {
			vacate(number);
			serve();
			decide(number, null);
		}
	}

	private void vacate(int number) {
		if (this.seats.remove(number) != null) {
			this.numbers.giveBack(number);
		}
	}

	@Override
	public void overdue(Waiter waiter) {
		run(() -> {
			timeIsOver(waiter);
			LockEntry entry = this.queue.contains(waiter) ? null : entryOf(waiter);
			if (entry != null) {
				entry.overdue(waiter);
			}
		});
	}

	/** Refuses a queued waiter, unless the store still owes an answer about a permit. */
	private void timeIsOver(Waiter waiter) {
		if (this.queue.contains(waiter)) {
			waiter.markOverdue();
			Set<Integer> owed = this.seats.keySet().stream().filter(this::answerOwed).collect(Collectors.toSet());
			this.undecided.put(waiter, owed);
			owed.stream().toList().forEach(this::decideIfLate);
			decide();
		}
	}

	private void decideIfLate(int number) {
		LockEntry entry = entry(number);
		LockStoreException late = (entry != null) ? entry.lateness() : null;
		if (late != null) {
			decide(number, late);
		}
	}

	private boolean answerOwed(int number) {
		LockEntry entry = entry(number);
		return entry != null && entry.answerOwed();
	}

	/**
	 * Handles the answer of the store whether a permit is free, or its failure to answer.
	 */
	private void decide(int number, @Nullable LockStoreException failure) {
		for (Map.Entry<Waiter, Set<Integer>> overdue : this.undecided.entrySet()) {
			boolean concerned = overdue.getValue().remove(number);
			if (concerned && failure != null && this.queue.remove(overdue.getKey())) {
				overdue.getKey().fail(failure, this);
			}
		}
		decide();
	}

	/**
	 * Refuses the waiters whose time is over and for which the store owes no more
	 * answers.
	 */
	private void decide() {
		this.undecided.entrySet().removeIf((overdue) -> {
			boolean known = overdue.getValue().isEmpty();
			if (known && this.queue.remove(overdue.getKey())) {
				overdue.getKey().end(new Outcome.Busy(knownHolder()), this);
			}
			return known || !this.queue.contains(overdue.getKey());
		});
	}

	@Override
	public boolean cancel(Waiter waiter) {
		return call(() -> {
			if (this.queue.remove(waiter)) {
				waiter.end(new Outcome.Cancelled(), this);
				return true;
			}
			LockEntry entry = entryOf(waiter);
			return entry != null && entry.cancel(waiter);
		});
	}

	private boolean isSeat(int number, Hold hold) {
		Waiter waiter = this.seats.get(number);
		return waiter != null && waiter.owner() == hold.owner();
	}

	private @Nullable LockEntry entry(int number) {
		return this.slots.find(new Slot(this.key, number));
	}

	private @Nullable LockEntry entryOf(Waiter waiter) {
		for (Map.Entry<Integer, Waiter> seat : this.seats.entrySet()) {
			if (seat.getValue() == waiter) {
				return entry(seat.getKey());
			}
		}
		return null;
	}

	private @Nullable Holder knownHolder() {
		for (int number : this.seats.keySet()) {
			LockEntry entry = entry(number);
			Holder holder = (entry != null) ? entry.holder() : null;
			if (holder != null) {
				return holder;
			}
		}
		return null;
	}

	/** Notifies all slots that other processes began to wait for permits. */
	public void contended() {
		atSeats(LockEntry::contended);
	}

	/** Notifies all slots that the store may have released permits by force. */
	public void revoked() {
		atSeats(LockEntry::revoked);
	}

	private void atSeats(Consumer<LockEntry> action) {
		run(() -> List.copyOf(this.seats.keySet()).forEach((number) -> {
			LockEntry entry = entry(number);
			if (entry != null) {
				action.accept(entry);
			}
		}));
	}

	/** Refuses all waiters, because the engine shuts down. */
	public void refuseWaiters() {
		run(() -> this.queue.failAll(this.engine.messages().shuttingDown(this.key)));
	}

	@Override
	public void tick() {
		run(() -> this.queue.timedOut(this.engine.now()).forEach(this::timeIsOver));
	}

	@Override
	public void callFailed(LockStoreException failure) {
		this.engine.commands().outage().callFailed(failure, this);
	}

	@Override
	protected long settle() {
		this.queue.dropDead();
		// The waiter that went first may have wanted fewer permits than the next one.
		serve();
		if (!this.retired && this.queue.isEmpty() && this.seats.isEmpty()) {
			this.retired = true;
			this.dropped.accept(this);
		}
		return this.queue.dueBy(this.engine.never());
	}

	/**
	 * The slot of a permit that this process may hold. The store sees each slot as a
	 * participant.
	 *
	 * @param key the semaphore
	 * @param number the number of the slot, from 1
	 */
	public record Slot(String key, int number) {

		@Override
		public String toString() {
			return "Slot[key=" + KeyText.of(this.key) + ", number=" + this.number + "]";
		}

	}

}
