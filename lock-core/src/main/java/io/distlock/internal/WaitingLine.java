package io.distlock.internal;

import java.util.ArrayDeque;
import java.util.Deque;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/** The threads of this process that wait for a key, first come first. */
final class WaitingLine {

	private final Deque<Waiter> waiters = new ArrayDeque<>();

	private final Monitor monitor;

	WaitingLine(Monitor monitor) {
		this.monitor = monitor;
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	void add(Waiter waiter) {
		this.waiters.addLast(waiter);
	}

	@Nullable Waiter first() {
		return this.waiters.peekFirst();
	}

	boolean contains(Waiter waiter) {
		return this.waiters.contains(waiter);
	}

	void remove(Waiter waiter) {
		this.waiters.remove(waiter);
	}

	/** Whether anybody would wait for the lock at all. */
	boolean anyPatient() {
		return this.waiters.stream().anyMatch(Waiter::patient);
	}

	void refuse(Waiter waiter, @Nullable Holder holder) {
		this.waiters.remove(waiter);
		waiter.end(new Waiter.Outcome.Busy(holder), this.monitor);
	}

	/** Refuses all whose time is over. */
	void refuseOverdue(long now, @Nullable Holder holder) {
		this.waiters.removeIf((waiter) -> {
			boolean over = waiter.remaining(now) <= 0;
			if (over) {
				waiter.end(new Waiter.Outcome.Busy(holder), this.monitor);
			}
			return over;
		});
	}

	/** Fails all whose time is over. */
	void failOverdue(long now, RuntimeException failure) {
		this.waiters.removeIf((waiter) -> {
			boolean over = waiter.remaining(now) <= 0;
			if (over) {
				waiter.end(new Waiter.Outcome.Failed(failure), this.monitor);
			}
			return over;
		});
	}

	void failAll(RuntimeException failure) {
		this.waiters.forEach((waiter) -> waiter.end(new Waiter.Outcome.Failed(failure), this.monitor));
		this.waiters.clear();
	}

}
