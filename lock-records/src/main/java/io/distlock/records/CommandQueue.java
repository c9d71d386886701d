package io.distlock.records;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Keeps the pending commands of one pipeline, and decides which thread executes them.
 * While commands are pending, exactly one thread or timer has the turn. So each command
 * is executed, and only one change is under way at a time.
 */
final class CommandQueue {

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, like the next two fields. */
	private final ArrayDeque<RecordCommand<?>> commands = new ArrayDeque<>();

	private Turn turn = Turn.NOBODY;

	/** Whether a request of this process followed the last release before its answer. */
	private boolean followed;

	/** Says what executes the added commands. */
	enum Turn {

		/** No thread: there is nothing to execute. */
		NOBODY,

		/**
		 * A thread that executes commands, or is about to. It also executes the commands
		 * that arrive meanwhile.
		 */
		THREAD,

		/**
		 * The next command of this process. Only a release is pending, and a request that
		 * follows joins it in one change. If no command arrives, a thread of the
		 * scheduler soon takes the turn.
		 */
		FOLLOWER

	}

	/**
	 * Adds a command.
	 * @return {@code true} if the present thread now has the turn
	 */
	boolean add(RecordCommand<?> command) {
		this.lock.lock();
		try {
			this.commands.add(command);
			this.followed |= this.turn != Turn.NOBODY && command.kind() == RecordCommand.Kind.TAKE;
			boolean taken = this.turn == Turn.THREAD;
			this.turn = Turn.THREAD;
			return !taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Passes the turn of the present thread to the next request. This happens only if the
	 * pending command is a single release, and if a request followed the last release.
	 * @return {@code false} if the present thread still has the turn
	 */
	boolean awaitFollower() {
		this.lock.lock();
		try {
			boolean awaiting = this.followed && this.commands.size() == 1;
			this.turn = awaiting ? Turn.FOLLOWER : Turn.THREAD;
			return awaiting;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the turn back from a request that has not arrived.
	 * @return {@code false} if the request has arrived
	 */
	boolean takeUnfollowed() {
		this.lock.lock();
		try {
			boolean own = this.turn == Turn.FOLLOWER;
			if (own) {
				this.turn = Turn.THREAD;
				this.followed = false;
			}
			return own;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes all commands. The present thread has the turn and executes them. If there
	 * are none, the turn ends.
	 */
	List<RecordCommand<?>> removeAll() {
		this.lock.lock();
		try {
			List<RecordCommand<?>> batch = new ArrayList<>(this.commands);
			this.commands.clear();
			this.turn = batch.isEmpty() ? Turn.NOBODY : Turn.THREAD;
			return batch;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the turn of the present thread if there is nothing left.
	 * @return {@code false} if commands are pending
	 */
	boolean endIfEmpty() {
		this.lock.lock();
		try {
			boolean empty = this.commands.isEmpty();
			this.turn = empty ? Turn.NOBODY : Turn.THREAD;
			return empty;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Runs a check on state that only the thread with the turn may use. It does so only
	 * if no thread has the turn, and no thread gets the turn meanwhile.
	 * @param look must not block
	 * @return the result of the check, or {@code false} without a check if a thread has
	 * the turn
	 */
	boolean atRest(BooleanSupplier look) {
		this.lock.lock();
		try {
			return this.turn == Turn.NOBODY && look.getAsBoolean();
		}
		finally {
			this.lock.unlock();
		}
	}

}
