package io.distlock.records;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the pending commands of one pipeline, and gives away the {@link Turn} to execute
 * them. Only the present turn executes commands, so only one change is under way at a
 * time.
 * <p>
 * A turn cannot get lost. It lasts for a limited time, like a lease. Whoever has it
 * closes it or passes it on. If an error prevents that, the next command takes the turn
 * when its time is over.
 */
final class CommandQueue {

	/**
	 * How long a turn may take to begin. A thread usually begins at once, and a thread
	 * that is stopped for longer only loses its turn to another thread.
	 */
	private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, like the next three fields. */
	private final ArrayDeque<RecordCommand<?>> commands = new ArrayDeque<>();

	private LastKnownRecord memory = new LastKnownRecord();

	private @Nullable Turn present;

	/** Whether a request of this process followed the last release before its answer. */
	private boolean followed;

	private final LongSupplier clock;

	private final long patienceNanos;

	private final Followers followers;

	/**
	 * Creates an empty queue.
	 * @param clock the monotonic clock, in nanoseconds
	 * @param patienceNanos how long the place may take for an answer
	 * @param followers notified when a turn has been closed
	 */
	CommandQueue(LongSupplier clock, long patienceNanos, Followers followers) {
		this.clock = clock;
		this.patienceNanos = patienceNanos;
		this.followers = followers;
	}

	/**
	 * Adds a command.
	 * @return the turn if the present thread now has it; empty if another turn will
	 * execute the command
	 */
	Optional<Turn> add(RecordCommand<?> command) {
		// Created first: without memory nothing must change.
		long now = this.clock.getAsLong();
		Optional<Turn> next = Optional.of(new Turn(now + BEGIN_NANOS));
		this.lock.lock();
		try {
			this.commands.add(command);
			Turn known = this.present;
			this.followed |= known != null && command.kind() == RecordCommand.Kind.TAKE;
			if (known != null && !known.free && known.until - now > 0) {
				return Optional.empty();
			}
			replace(next.get());
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Replaces the present turn, of which a change may still be under way. */
	private void replace(@Nullable Turn next) {
		Turn lost = this.present;
		List<RecordCommand<?>> underWay = (lost != null) ? lost.batch : List.of();
		if (!underWay.isEmpty()) {
			this.memory = this.memory.afterLostTurn();
		}
		if (next != null) {
			next.memory = this.memory;
			next.abandoned = (lost != null && underWay.isEmpty()) ? lost.abandoned : underWay;
		}
		this.present = next;
	}

	/**
	 * Runs a check on the memory, which otherwise only the thread with the turn may use.
	 * It does so only if no command is pending and no turn is given, and none is given
	 * meanwhile.
	 * @param look must not block
	 * @return the result of the check, or {@code false} without a check
	 */
	boolean atRest(Predicate<LastKnownRecord> look) {
		this.lock.lock();
		try {
			return this.present == null && this.commands.isEmpty() && look.test(this.memory);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The right to execute the commands of a lock. It ends when it is closed, when it is
	 * passed on, or when another turn follows because the time of this turn is over. A
	 * turn that has ended gets no commands, and closing it does nothing.
	 */
	final class Turn implements AutoCloseable {

		/** When another turn may follow. Guarded by the lock, like the other fields. */
		private long until;

		/** Whether another turn may follow at once. */
		private boolean free;

		/** The commands of which a change may be under way. */
		private List<RecordCommand<?>> batch = List.of();

		/** The commands of a lost turn, which nobody else answers. */
		private List<RecordCommand<?>> abandoned = List.of();

		private LastKnownRecord memory = CommandQueue.this.memory;

		private Turn(long until) {
			this.until = until;
		}

		/**
		 * Removes all commands. The earlier commands of this turn have been executed.
		 * @return the commands to execute; empty if this turn has ended, or if there are
		 * none
		 */
		List<RecordCommand<?>> begin() {
			CommandQueue.this.lock.lock();
			try {
				if (CommandQueue.this.present != this) {
					return List.of();
				}
				List<RecordCommand<?>> pending = new ArrayList<>(CommandQueue.this.commands);
				// A copy, because the change removes the commands that it refuses.
				List<RecordCommand<?>> copy = List.copyOf(pending);
				this.until = latestEnd(pending);
				this.free = false;
				this.batch = copy;
				CommandQueue.this.commands.clear();
				return pending;
			}
			finally {
				CommandQueue.this.lock.unlock();
			}
		}

		/**
		 * Returns when the last change for these commands is over. It begins before the
		 * last deadline.
		 */
		private long latestEnd(List<RecordCommand<?>> pending) {
			long now = CommandQueue.this.clock.getAsLong();
			long longest = 0;
			for (RecordCommand<?> command : pending) {
				longest = Math.max(longest, command.deadline() - now);
			}
			return now + longest + CommandQueue.this.patienceNanos;
		}

		/**
		 * Returns the commands of earlier turns that got lost. They are too late by now,
		 * and must be failed.
		 */
		List<RecordCommand<?>> abandoned() {
			return this.abandoned;
		}

		/** Returns the memory of this turn. Only the thread with the turn uses it. */
		LastKnownRecord memory() {
			return this.memory;
		}

		/**
		 * Lets the next command take this turn at once, if it is likely that a request
		 * follows the pending release. Both then become one change.
		 * @return whether to begin this turn only after a request had time to follow
		 */
		boolean awaitsRequest() {
			CommandQueue.this.lock.lock();
			try {
				boolean expected = CommandQueue.this.followed && CommandQueue.this.commands.size() == 1;
				CommandQueue.this.followed = false;
				this.free = expected;
				return expected;
			}
			finally {
				CommandQueue.this.lock.unlock();
			}
		}

		/** Notes that the commands of this turn have been executed. */
		void executed() {
			CommandQueue.this.lock.lock();
			try {
				this.batch = List.of();
			}
			finally {
				CommandQueue.this.lock.unlock();
			}
		}

		/**
		 * Passes this turn on. This turn ends.
		 * @return the turn that goes on, for another thread; it has ended if this turn
		 * had ended
		 */
		Turn pass() {
			CommandQueue.this.lock.lock();
			try {
				Turn next = new Turn(this.until);
				next.batch = this.batch;
				next.memory = this.memory;
				if (CommandQueue.this.present == this) {
					CommandQueue.this.present = next;
				}
				return next;
			}
			finally {
				CommandQueue.this.lock.unlock();
			}
		}

		/**
		 * Ends this turn. If commands are pending, another turn goes on. If the commands
		 * of this turn were not all executed, a change of it may be under way. Then the
		 * next turn does not rely on what this turn remembers.
		 */
		@Override
		public void close() {
			Turn next;
			CommandQueue.this.lock.lock();
			try {
				if (CommandQueue.this.present != this) {
					return;
				}
				// Set first: if there is no memory for the rest, the next command takes
				// the turn.
				this.free = true;
				next = CommandQueue.this.commands.isEmpty() ? null : new Turn(this.until);
				replace(next);
				if (next != null) {
					next.free = true;
				}
			}
			finally {
				CommandQueue.this.lock.unlock();
			}
			if (next == null) {
				CommandQueue.this.followers.rest();
			}
			else {
				CommandQueue.this.followers.goOn(next);
			}
		}

	}

	/** What follows when a turn has been closed. */
	interface Followers {

		/** Begins the turn for the commands that are pending. */
		void goOn(Turn next);

		/** Notes that no commands are pending. */
		void rest();

	}

}
