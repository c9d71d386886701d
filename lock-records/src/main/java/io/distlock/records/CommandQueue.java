package io.distlock.records;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The commands of one pipeline that are still to be executed, and whose turn it is to
 * execute them. While there are any, exactly one thread or timer has the turn, so each
 * command is executed, and no two changes are under way.
 */
final class CommandQueue {

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, like the two that follow. */
	private final ArrayDeque<RecordCommand<?>> commands = new ArrayDeque<>();

	private Turn turn = Turn.NOBODY;

	/** Whether a request of this process followed the last release before its answer. */
	private boolean followed;

	/** Who is to execute what has been added. */
	enum Turn {

		/** No thread, because there is nothing to execute. */
		NOBODY,

		/**
		 * A thread that executes commands, or is about to. It executes those that come
		 * meanwhile as well.
		 */
		THREAD,

		/**
		 * The next request of this process: there is only a release, and both are one
		 * change. Any other command comes as well; if none does, it is the turn of a
		 * thread of the scheduler, soon.
		 */
		FOLLOWER

	}

	/**
	 * Adds a command.
	 * @return {@code true} if it is the turn of the present thread now
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
	 * Leaves the turn of the present thread to the next request, if there is only a
	 * release and one followed the last release.
	 * @return {@code false} if it is still the turn of the present thread
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
	 * Takes the turn of a request that has not come.
	 * @return {@code false} if one has
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
	 * Removes all commands, to be executed by the present thread, whose turn it is. If
	 * there are none the turn is over.
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
	 * @return {@code false} if there is
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
	 * Looks at what only the thread with the turn may use, if no thread has it. None gets
	 * it meanwhile.
	 * @param look must not block
	 * @return what was found; {@code false}, without looking, if there is a turn
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
