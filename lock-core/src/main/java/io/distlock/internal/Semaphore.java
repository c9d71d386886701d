package io.distlock.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Those of this process who want permits of one key. Each permit has a {@link Slot},
 * which is a lock of its own to the engine; here a free one is handed to whoever comes
 * first, and the others wait in line until one is vacant.
 * <p>
 * Its monitor is entered before that of a slot's entry, never after: an entry tells of
 * its vacancy when its monitor has been left.
 */
final class Semaphore implements Tended, WaitingPlace {

	/** No permit. */
	private static final int NONE = -1;

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor = new Monitor(this::settle, this::planVisit);

	private final WaitingLine line = new WaitingLine(this.monitor);

	/** Who was sent to a slot last; there until it is vacant. */
	private final Map<Integer, Waiter> seats = new TreeMap<>();

	/** In line, with time over, and the permits of which the store owes an answer. */
	private final Map<Waiter, Set<Integer>> undecided = new LinkedHashMap<>();

	private boolean serving;

	private boolean retired;

	private volatile long due;

	Semaphore(String key, EngineContext engine) {
		this.key = key;
		this.engine = engine;
		this.due = engine.never();
	}

	/**
	 * Lets somebody wait for a permit.
	 * @param waiter who
	 * @return {@code false} if this semaphore was dropped and another one is to be used
	 */
	boolean join(Waiter waiter) {
		return this.monitor.call(() -> {
			if (this.retired) {
				return false;
			}
			if (!this.engine.accepting()) {
				waiter.end(new Waiter.Outcome.Failed(this.engine.failures().shuttingDown(this.key)), this.monitor);
			}
			else if (waiting() >= waiter.maxWaiters()) {
				waiter.end(new Waiter.Outcome.Crowded(knownHolder()), this.monitor);
			}
			else {
				this.line.add(waiter);
				serve();
				if (!waiter.patient()) {
					timeIsOver(waiter);
				}
			}
			return true;
		});
	}

	private long waiting() {
		return this.line.length() + this.seats.values().stream().filter((waiter) -> !waiter.ended()).count();
	}

	/** Sends those who came first to free slots. One that fails at once is free again. */
	private void serve() {
		if (this.serving) {
			return;
		}
		this.serving = true;
		try {
			Waiter first = this.line.first();
			while (first != null && first.sharing().admits(this.seats.size())) {
				this.line.remove(first);
				seat(first, freeSlot());
				first = this.line.first();
			}
		}
		finally {
			this.serving = false;
		}
	}

	private int freeSlot() {
		int number = 1;
		while (this.seats.containsKey(number)) {
			number++;
		}
		return number;
	}

	private void seat(Waiter waiter, int number) {
		this.seats.put(number, waiter);
		this.engine.table().with(new Slot(this.key, number), (entry) -> entry.join(waiter));
	}

	/**
	 * A permit is about to be released: the next in line goes to its slot, where it may
	 * pass on without a command.
	 * @param hold the permit
	 */
	void passOn(Hold hold) {
		Slot slot = Objects.requireNonNull(Slot.of(this.key, hold.request()));
		this.monitor.run(() -> {
			Waiter next = this.line.first();
			if (next != null && hold.isHeld() && this.seats.get(slot.number()) == hold.taker()
					&& next.sharing().admits(this.seats.size() - 1)) {
				this.line.remove(next);
				seat(next, slot.number());
			}
		});
	}

	/** Nobody waited in a slot, or held it, a moment ago. */
	void vacated(int number) {
		this.monitor.run(() -> {
			LockEntry entry = this.engine.table().find(new Slot(this.key, number));
			if (entry == null || entry.vacant()) {
				this.seats.remove(number);
				serve();
				decide(number, null);
			}
		});
	}

	/**
	 * The store has said who has a permit.
	 * @param number which
	 * @param failure why it has not, or {@code null}
	 */
	void answered(int number, @Nullable LockStoreException failure) {
		this.monitor.run(() -> decide(number, failure));
	}

	@Override
	public void overdue(Waiter waiter) {
		this.monitor.run(() -> {
			timeIsOver(waiter);
			LockEntry entry = this.line.contains(waiter) ? null : entryOf(waiter);
			if (entry != null) {
				entry.overdue(waiter);
			}
		});
	}

	/** Who is in line is refused, unless nobody knows yet whether all are taken. */
	private void timeIsOver(Waiter waiter) {
		if (this.line.contains(waiter)) {
			waiter.markOverdue();
			Set<Integer> owed = this.seats.keySet().stream().filter(this::answerOwed).collect(Collectors.toSet());
			this.undecided.put(waiter, owed);
			decide(NONE, null);
		}
	}

	private boolean answerOwed(int number) {
		LockEntry entry = this.engine.table().find(new Slot(this.key, number));
		return entry != null && entry.answerOwed();
	}

	/** Ends the waiting of those whose time is over and who know enough. */
	private void decide(int number, @Nullable LockStoreException failure) {
		this.undecided.keySet().removeIf((waiter) -> !this.line.contains(waiter));
		this.undecided.entrySet().removeIf((overdue) -> {
			boolean concerned = overdue.getValue().remove(number);
			if (concerned && failure != null) {
				this.line.fail(overdue.getKey(), failure);
				return true;
			}
			boolean known = overdue.getValue().isEmpty();
			if (known) {
				this.line.refuse(overdue.getKey(), knownHolder());
			}
			return known;
		});
	}

	@Override
	public boolean cancel(Waiter waiter) {
		return this.monitor.call(() -> {
			if (this.line.contains(waiter)) {
				this.line.remove(waiter);
				waiter.end(new Waiter.Outcome.Cancelled(), this.monitor);
				return true;
			}
			LockEntry entry = entryOf(waiter);
			return entry != null && entry.cancel(waiter);
		});
	}

	private @Nullable LockEntry entryOf(Waiter waiter) {
		for (Map.Entry<Integer, Waiter> seat : this.seats.entrySet()) {
			if (seat.getValue() == waiter) {
				return this.engine.table().find(new Slot(this.key, seat.getKey()));
			}
		}
		return null;
	}

	private @Nullable Holder knownHolder() {
		for (int number : this.seats.keySet()) {
			LockEntry entry = this.engine.table().find(new Slot(this.key, number));
			Holder holder = (entry != null) ? entry.holder() : null;
			if (holder != null) {
				return holder;
			}
		}
		return null;
	}

	/** Other processes began to wait for permits. */
	void contended() {
		this.monitor.run(() -> this.seats.keySet().forEach((number) -> {
			LockEntry entry = this.engine.table().find(new Slot(this.key, number));
			if (entry != null) {
				entry.contended();
			}
		}));
	}

	/** Turns away all who wait for a slot. */
	void refuseWaiters() {
		this.monitor.run(() -> this.line.failAll(this.engine.failures().shuttingDown(this.key)));
	}

	@Override
	public void tick() {
		this.monitor.run(() -> this.line.alarmed(this.engine.now()).forEach(this::timeIsOver));
	}

	@Override
	public long due() {
		return this.due;
	}

	private void settle() {
		// Whoever went first in line may have wanted fewer permits than the next one
		// does.
		serve();
		if (!this.retired && this.line.isEmpty() && this.seats.isEmpty()) {
			this.retired = true;
			this.engine.table().remove(this.key, this);
		}
		this.due = this.line.dueBy(this.engine.never());
	}

	private void planVisit() {
		this.engine.wakeBy(this.due);
	}

}
