package io.distlock.records;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import com.google.errorprone.annotations.MustBeClosed;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pending commands of one pipeline, and gives away the {@link Turn} to execute
 * them. Only the present turn executes commands, so only one change is under way at a
 * time.
 * <p>
 * A turn cannot get lost. Code that takes it without closing it does not compile. Beyond
 * that, a turn lasts for a limited time, like a lease: if an error prevents that it is
 * closed, or its change never ends, the next command takes a turn when that time is over.
 */
final class CommandQueue {

	/**
	 * How long a thread that is to take the turn may need for it. It usually does so at
	 * once, and if it is stopped for longer, another thread takes the turn.
	 */
	private static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, like the next six fields. */
	private final ArrayDeque<RecordCommand<?>> commands = new ArrayDeque<>();

	private LastKnownRecord memory = new LastKnownRecord();

	private @Nullable Turn present;

	/** The commands of a turn that ended before its change. */
	private List<RecordCommand<?>> abandoned = List.of();

	/** The command whose thread is to take the turn. */
	private @Nullable RecordCommand<?> reservedFor;

	private long reservedUntil;

	/** Whether a request of this process followed the last release before its answer. */
	private boolean followed;

	private final LongSupplier clock;

	private final long patienceNanos;

	private final Followers followers;

	/**
	 * Creates an empty queue.
	 * @param clock the monotonic clock, in nanoseconds
	 * @param patienceNanos how long the place may take for an answer
	 * @param followers notified when a turn has ended
	 */
	CommandQueue(LongSupplier clock, long patienceNanos, Followers followers) {
		this.clock = clock;
		this.patienceNanos = patienceNanos;
		this.followers = followers;
	}

	/**
	 * Adds a command, and reserves the next turn for its thread, unless another thread
	 * has the turn or is to take it. Both are one step: until a turn takes the command,
	 * others rely on this thread, and from then on none does.
	 */
	void add(RecordCommand<?> command) {
		long now = this.clock.getAsLong();
		this.lock.lock();
		try {
			boolean busy = this.present != null || !this.commands.isEmpty();
			this.commands.add(command);
			this.followed |= busy && command.kind() == RecordCommand.Kind.TAKE;
			if (!isTaken(now) && (this.reservedFor == null || this.reservedUntil - now <= 0)) {
				this.reservedFor = command;
				this.reservedUntil = now + BEGIN_NANOS;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns whether the turn is reserved for the thread of a command. */
	boolean isReservedFor(RecordCommand<?> command) {
		this.lock.lock();
		try {
			return this.reservedFor == command;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isTaken(long now) {
		Turn known = this.present;
		return known != null && known.until - now > 0;
	}

	/**
	 * Gives up the reservation, if it is likely that a request follows the pending
	 * release. Both then become one change.
	 * @return whether to take the turn only after a request had time to follow
	 */
	boolean awaitsRequest() {
		this.lock.lock();
		try {
			boolean expected = this.followed && this.commands.size() == 1 && !this.memory.isAwaited();
			this.followed = false;
			if (expected) {
				this.reservedFor = null;
			}
			return expected;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the turn and all commands. The thread that had reserved the turn gets none.
	 * @return the turn; without commands if another turn lasts, or if there are none
	 */
	@MustBeClosed
	Turn take() {
		long now = this.clock.getAsLong();
		this.lock.lock();
		try {
			if (this.commands.isEmpty() || isTaken(now)) {
				return new Turn(List.of(), List.of(), this.memory, now);
			}
			List<RecordCommand<?>> lost = (this.present != null) ? this.present.commands : this.abandoned;
			List<RecordCommand<?>> pending = List.copyOf(this.commands);
			Turn next = new Turn(pending, lost, lost.isEmpty() ? this.memory : this.memory.afterLostTurn(),
					latestEnd(pending, now));
			// No allocation from here on: without memory nothing must change.
			this.commands.clear();
			this.reservedFor = null;
			this.abandoned = List.of();
			this.memory = next.memory;
			this.present = next;
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns when the last change for these commands is over. It begins before the last
	 * deadline.
	 */
	private long latestEnd(List<RecordCommand<?>> pending, long now) {
		long longest = 0;
		for (RecordCommand<?> command : pending) {
			longest = Math.max(longest, command.deadline() - now);
		}
		return now + longest + this.patienceNanos;
	}

	/**
	 * Ends a turn. If its change may still be under way, the next turn does not rely on
	 * what this turn remembers.
	 * @return whether this ended the present turn; {@code false} for one that is over
	 */
	private boolean end(Turn turn, boolean executed) {
		this.lock.lock();
		try {
			if (this.present != turn) {
				return false;
			}
			this.present = null;
			this.abandoned = executed ? List.of() : turn.commands;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isEmpty() {
		this.lock.lock();
		try {
			return this.commands.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
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
	 * The right to execute some commands of a lock. It ends when it is closed and its
	 * change is over, or when another turn follows because the time of this turn is over.
	 */
	final class Turn implements AutoCloseable {

		private final List<RecordCommand<?>> commands;

		private final List<RecordCommand<?>> abandoned;

		private final LastKnownRecord memory;

		/** When another turn may follow. */
		private final long until;

		private @Nullable CompletableFuture<?> change;

		private Turn(List<RecordCommand<?>> commands, List<RecordCommand<?>> abandoned, LastKnownRecord memory,
				long until) {
			this.commands = commands;
			this.abandoned = abandoned;
			this.memory = memory;
			this.until = until;
		}

		/** Returns the commands to execute. */
		List<RecordCommand<?>> commands() {
			return this.commands;
		}

		/**
		 * Returns the commands of an earlier turn that ended before its change. Nobody
		 * else answers them, so they must be failed.
		 */
		List<RecordCommand<?>> abandoned() {
			return this.abandoned;
		}

		/** Returns the memory of this turn. Only its change uses it. */
		LastKnownRecord memory() {
			return this.memory;
		}

		/** Keeps this turn until a change is over, also after it was closed. */
		void lastsUntil(CompletionStage<?> executed) {
			this.change = executed.toCompletableFuture();
		}

		/**
		 * Ends this turn, now or when its change is over. Then the pending commands are
		 * executed.
		 */
		@Override
		public void close() {
			CompletableFuture<?> awaited = this.change;
			if (awaited == null || awaited.isDone()) {
				// The present thread may belong to a caller that holds monitors.
				end(awaited != null && !awaited.isCompletedExceptionally(), false);
				return;
			}
			try {
				awaited.whenComplete((nothing, failure) -> end(failure == null, true));
			}
			catch (Throwable ex) {
				end(false, false);
				throw ex;
			}
		}

		private void end(boolean executed, boolean goesOnHere) {
			if (!CommandQueue.this.end(this, executed)) {
				return;
			}
			if (isEmpty()) {
				CommandQueue.this.followers.rest();
			}
			else if (goesOnHere) {
				CommandQueue.this.followers.run();
			}
			else {
				CommandQueue.this.followers.runLater();
			}
		}

	}

	/** Receives the end of a turn. */
	interface Followers {

		/** Executes the pending commands, on the present thread. */
		void run();

		/** Executes the pending commands, on another thread. */
		void runLater();

		/** Notes that no commands are pending. */
		void rest();

	}

}
