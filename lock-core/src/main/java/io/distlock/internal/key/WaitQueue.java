package io.distlock.internal.key;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import io.distlock.Holder;
import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/** The waiters of this process for a key, in the order in which they arrived. */
final class WaitQueue {

	private final Deque<Waiter> waiters = new ArrayDeque<>(1);

	private final Monitor monitor;

	/** No waiter is to be alarmed before this moment. */
	private @Nullable Long alarm;

	/**
	 * Creates an empty queue.
	 * @param monitor waiters are woken when it has been left
	 */
	WaitQueue(Monitor monitor) {
		this.monitor = monitor;
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	int length() {
		return this.waiters.size();
	}

	@Nullable Waiter first() {
		return this.waiters.peekFirst();
	}

	boolean contains(Waiter waiter) {
		return this.waiters.contains(waiter);
	}

	/** Whether any of them waits at all. */
	boolean anyPatient() {
		for (Waiter waiter : this.waiters) {
			if (waiter.patient()) {
				return true;
			}
		}
		return false;
	}

	void add(Waiter waiter) {
		// mutant: queue-order
		this.waiters.addLast(waiter);
		setAlarm(waiter);
	}

	/** Removes a waiter; returns whether it was there. */
	boolean remove(Waiter waiter) {
		return this.waiters.remove(waiter);
	}

	/** Refuses all waiters whose time is over. */
	void refuseOverdue(long now, @Nullable Holder holder) {
		if (this.waiters.isEmpty()) {
			return;
		}
		endOverdue(now, (waiter) -> waiter.end(new Waiter.Outcome.Busy(holder), this.monitor));
	}

	/** Fails all waiters whose time is over. */
	void failOverdue(long now, RuntimeException cause) {
		endOverdue(now, (waiter) -> waiter.fail(cause, this.monitor));
	}

	private void endOverdue(long now, Consumer<Waiter> end) {
		this.waiters.removeIf((waiter) -> {
			// mutant: overdue
			boolean over = waiter.remaining(now) <= 0;
			if (over) {
				end.accept(waiter);
			}
			return over;
		});
	}

	void failAll(RuntimeException cause) {
		this.waiters.forEach((waiter) -> waiter.fail(cause, this.monitor));
		this.waiters.clear();
	}

	private void setAlarm(Waiter waiter) {
		if (waiter.needsAlarm() && !waiter.overdue()) {
			this.alarm = (this.alarm != null) ? LocalDeadline.earlier(this.alarm, waiter.deadline())
					: waiter.deadline();
		}
	}

	/** The waiters that must learn now that their time is over. */
	List<Waiter> alarmed(long now) {
		if (this.alarm == null || this.alarm - now > 0) {
			return List.of();
		}
		this.alarm = null;
		List<Waiter> alarmed = new ArrayList<>();
		for (Waiter waiter : this.waiters) {
			if (waiter.needsAlarm() && !waiter.overdue() && waiter.remaining(now) <= 0) {
				alarmed.add(waiter);
			}
			else {
				setAlarm(waiter);
			}
		}
		return alarmed;
	}

	long dueBy(long latest) {
		return (this.alarm != null && !this.waiters.isEmpty()) ? LocalDeadline.earlier(latest, this.alarm) : latest;
	}

}
