package io.distlock.internal.waiting;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.distlock.Holder;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process for a key, in the order in which they arrived. Most keys
 * have one waiter at a time.
 */
public final class WaitQueue {

	private final Monitor monitor;

	private @Nullable Waiter first;

	/** The waiters behind the first one. Each of them may leave at any time. */
	private @Nullable Set<Waiter> others;

	/** The moment at which the housekeeper next checks for waiters whose time is over. */
	private @Nullable Long nextTimeout;

	/**
	 * Creates an empty queue.
	 * @param monitor the monitor that is left before waiters are woken
	 */
	public WaitQueue(Monitor monitor) {
		this.monitor = monitor;
	}

	/** Returns whether nobody waits. */
	public boolean isEmpty() {
		return this.first == null;
	}

	/** Returns how many wait. */
	public int length() {
		return (this.first == null) ? 0 : (this.others == null) ? 1 : 1 + this.others.size();
	}

	/** Notifies the waiters that others hold the lock. */
	public void waitFor(@Nullable Holder holder) {
		if (this.first != null) {
			this.first.waitsFor(holder, this.monitor);
		}
		if (this.others != null) {
			for (Waiter waiter : this.others) {
				waiter.waitsFor(holder, this.monitor);
			}
		}
	}

	/**
	 * Notifies the first waiter that the lock was released here. The store now decides
	 * which waiter is next.
	 */
	public void waitedHere() {
		if (this.first != null) {
			this.first.waitedHere();
		}
	}

	/** Returns the waiter that came first, or {@code null} if nobody waits. */
	public @Nullable Waiter first() {
		return this.first;
	}

	/** Visits all waiters in the order of their arrival. */
	public void forEach(Consumer<? super Waiter> action) {
		if (this.first != null) {
			action.accept(this.first);
		}
		if (this.others != null) {
			this.others.forEach(action);
		}
	}

	/** Returns whether a waiter is in this queue. */
	public boolean contains(Waiter waiter) {
		return this.first == waiter || this.others != null && this.others.contains(waiter);
	}

	/** Returns whether any waiter waits at all if the first answer is no. */
	public boolean anyPatient() {
		boolean patient = this.first != null && this.first.patient();
		return patient || this.others != null && this.others.stream().anyMatch(Waiter::patient);
	}

	/** Adds a waiter behind all others. */
	public void add(Waiter waiter) {
		if (this.first == null) {
			this.first = waiter;
		}
		else {
			this.others = (this.others != null) ? this.others : new LinkedHashSet<>();
			this.others.add(waiter);
		}
		planTimeout(waiter);
	}

	/** Removes a waiter. Returns whether the waiter was in the queue. */
	public boolean remove(Waiter waiter) {
		if (this.first == waiter) {
			removeFirst();
			return true;
		}
		return this.others != null && this.others.remove(waiter);
	}

	/** Removes the waiters at the head of the queue that an error has left there. */
	public void dropDead() {
		while (this.first != null && this.first.isDead()) {
			removeFirst();
		}
	}

	private void removeFirst() {
		if (this.others == null || this.others.isEmpty()) {
			this.first = null;
			return;
		}
		Iterator<Waiter> next = this.others.iterator();
		this.first = next.next();
		next.remove();
	}

	/** Refuses all waiters whose time is over. */
	public void refuseOverdue(long now, @Nullable Holder holder) {
		endOverdue(now, (waiter) -> waiter.end(new Outcome.Busy(holder), this.monitor));
	}

	/** Fails all waiters whose time is over. */
	public void failOverdue(long now, RuntimeException cause) {
		endOverdue(now, (waiter) -> waiter.fail(cause, this.monitor));
	}

	/** Fails the waiters whose time is over and whose lease is not longer than this. */
	public void failOverdue(long now, RuntimeException cause, LeaseTerm longest) {
		endOverdue(now, (waiter) -> waiter.term().nanos() <= longest.nanos(),
				(waiter) -> waiter.fail(cause, this.monitor));
	}

	private void endOverdue(long now, Consumer<Waiter> end) {
		endOverdue(now, (waiter) -> true, end);
	}

	private void endOverdue(long now, Predicate<Waiter> which, Consumer<Waiter> end) {
		Waiter head = this.first;
		if (head == null) {
			return;
		}
		Predicate<Waiter> ends = (waiter) -> {
			boolean over = waiter.remaining(now) <= 0;
			boolean ending = over && which.test(waiter);
			if (ending) {
				end.accept(waiter);
			}
			return ending;
		};
		boolean headEnds = ends.test(head);
		if (this.others != null) {
			this.others.removeIf(ends);
		}
		if (headEnds) {
			removeFirst();
		}
	}

	/** Ends the wait of all waiters with an exception. */
	public void failAll(RuntimeException cause) {
		while (this.first != null) {
			this.first.fail(cause, this.monitor);
			removeFirst();
		}
	}

	private void planTimeout(Waiter waiter) {
		if (waiter.needsTimeout() && !waiter.overdue()) {
			this.nextTimeout = (this.nextTimeout != null) ? LocalDeadline.earlier(this.nextTimeout, waiter.deadline())
					: waiter.deadline();
		}
	}

	/** Returns the waiters that must be notified now that their time is over. */
	public List<Waiter> timedOut(long now) {
		if (this.nextTimeout == null || this.nextTimeout - now > 0) {
			return List.of();
		}
		this.nextTimeout = null;
		List<Waiter> ended = new ArrayList<>();
		if (this.first != null) {
			sort(this.first, now, ended);
		}
		if (this.others != null) {
			this.others.forEach((waiter) -> sort(waiter, now, ended));
		}
		return ended;
	}

	private void sort(Waiter waiter, long now, List<Waiter> ended) {
		if (waiter.needsTimeout() && !waiter.overdue() && waiter.remaining(now) <= 0) {
			ended.add(waiter);
		}
		else {
			planTimeout(waiter);
		}
	}

	/** Returns when the first wait ends, but no later than the given moment. */
	public long dueBy(long latest) {
		return (this.nextTimeout != null && this.first != null) ? LocalDeadline.earlier(latest, this.nextTimeout)
				: latest;
	}

}
