package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that passes when the test says so; what is due runs on the test's thread. */
class ManualTimer implements QuorumTimer {

	private final List<Task> tasks = new ArrayList<>();

	private long now = 1_000_000_000L;

	private record Task(long due, Runnable action) {
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public Runnable later(Duration delay, Runnable action) {
		Task task = new Task(this.now + delay.toNanos(), action);
		this.tasks.add(task);
		return () -> this.tasks.remove(task);
	}

	@Override
	public void stop() {
		this.tasks.clear();
	}

	/** Lets time pass, and what becomes due happen at its moment. */
	void pass(Duration time) {
		long end = this.now + time.toNanos();
		List<Task> due = due(end);
		while (!due.isEmpty()) {
			Task next = due.get(0);
			this.tasks.remove(next);
			this.now = Math.max(this.now, next.due());
			next.action().run();
			due = due(end);
		}
		this.now = end;
	}

	/**
	 * Lets time pass at once, as for a process that is stopped: nothing happens in it.
	 */
	void jump(Duration time) {
		this.now += time.toNanos();
	}

	private List<Task> due(long end) {
		return this.tasks.stream()
			.filter((task) -> task.due() <= end)
			.sorted(Comparator.comparingLong(Task::due))
			.toList();
	}

}
