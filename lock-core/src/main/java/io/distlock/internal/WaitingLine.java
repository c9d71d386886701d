package io.distlock.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/** Those in this process who wait for a key, first come first. */
final class WaitingLine {

	private final Deque<Waiter> waiters = new ArrayDeque<>();

	private final Monitor monitor;

	/** No alarm is due before this moment; there may be none at all. */
	private long alarm;

	private boolean alarmSet;

	WaitingLine(Monitor monitor) {
		this.monitor = monitor;
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	int length() {
		return this.waiters.size();
	}

	void add(Waiter waiter) {
		this.waiters.addLast(waiter);
		setAlarm(waiter);
	}

	private void setAlarm(Waiter waiter) {
		if (waiter.needsAlarm() && !waiter.overdue()) {
			this.alarm = this.alarmSet ? LocalDeadline.earlier(this.alarm, waiter.deadline()) : waiter.deadline();
			this.alarmSet = true;
		}
	}

	/** Those who must be told now that their time is over. */
	List<Waiter> alarmed(long now) {
		if (!this.alarmSet || this.alarm - now > 0) {
			return List.of();
		}
		this.alarmSet = false;
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
		return (this.alarmSet && !this.waiters.isEmpty()) ? LocalDeadline.earlier(latest, this.alarm) : latest;
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

	void fail(Waiter waiter, RuntimeException failure) {
		this.waiters.remove(waiter);
		waiter.end(new Waiter.Outcome.Failed(failure), this.monitor);
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
