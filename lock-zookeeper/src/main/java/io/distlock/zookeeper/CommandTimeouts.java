package io.distlock.zookeeper;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Ends commands that are not answered in time. All have the same timeout, so they are
 * over in the order in which they began, and a look at the first ones now and then is
 * enough: a timer for each command wakes a thread each time.
 */
final class CommandTimeouts {

	/** A command ends this part of its timeout too early or too late. */
	private static final int PARTS = 50;

	private final Queue<Command> commands = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean looking = new AtomicBoolean();

	private final long timeoutNanos;

	private final LongSupplier nanoTime;

	private final Later later;

	/**
	 * Creates an empty queue.
	 * @param timeout of each command
	 * @param nanoTime the monotonic clock
	 * @param later runs something after a while
	 */
	CommandTimeouts(Duration timeout, LongSupplier nanoTime, Later later) {
		this.timeoutNanos = timeout.toNanos();
		this.nanoTime = nanoTime;
		this.later = later;
	}

	static CommandTimeouts of(Duration timeout) {
		return new CommandTimeouts(timeout, System::nanoTime,
				(nanos, action) -> CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
					.execute(action));
	}

	/** Runs something later, on any thread. */
	interface Later {

		void in(long nanos, Runnable action);

	}

	/**
	 * Ends a command with a {@link TimeoutException} unless it is answered before.
	 * @param answer of the command
	 */
	<T> CompletableFuture<T> limit(CompletableFuture<T> answer) {
		if (!answer.isDone()) {
			this.commands.add(new Command(answer, this.nanoTime.getAsLong() + this.timeoutNanos - pause()));
			lookLater();
		}
		return answer;
	}

	private long pause() {
		return this.timeoutNanos / PARTS;
	}

	private void lookLater() {
		if (this.looking.get() || !this.looking.compareAndSet(false, true)) {
			return;
		}
		boolean planned = false;
		try {
			this.later.in(pause(), this::look);
			planned = true;
		}
		finally {
			if (!planned) {
				// The next command plans it.
				this.looking.set(false);
			}
		}
	}

	private void look() {
		try {
			endFirst(this.nanoTime.getAsLong());
		}
		finally {
			this.looking.set(false);
			if (!this.commands.isEmpty()) {
				lookLater();
			}
		}
	}

	private void endFirst(long now) {
		for (Command first = this.commands.peek(); first != null && first.isOver(now); first = this.commands.peek()) {
			this.commands.poll();
			first.answer.completeExceptionally(new TimeoutException());
		}
	}

	/** How many commands are remembered, answered or not. */
	int size() {
		return this.commands.size();
	}

	private record Command(CompletableFuture<?> answer, long end) {

		boolean isOver(long now) {
			return this.answer.isDone() || now - this.end >= 0;
		}

	}

}
