package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All messages of a run, for those who watch from the beginning and those who come later.
 */
public final class RunFeed {

	private static final int MOST = 5000;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition more = this.lock.newCondition();

	private final List<Message> messages = new ArrayList<>();

	private boolean closed;

	void add(String name, Object data) {
		this.lock.lock();
		try {
			if (this.messages.size() < MOST) {
				this.messages.add(new Message(name, data));
			}
			this.more.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.more.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Forgets the messages. */
	void clear() {
		this.lock.lock();
		try {
			this.messages.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the messages from one on; waits a second at most if there is none yet.
	 * @param from how many messages to leave out
	 * @return the messages, empty if none came in time
	 * @throws InterruptedException if the thread was interrupted
	 */
	public List<Message> read(int from) throws InterruptedException {
		this.lock.lock();
		try {
			if (this.messages.size() <= from && !this.closed) {
				this.more.await(1, TimeUnit.SECONDS);
			}
			return (from < this.messages.size()) ? List.copyOf(this.messages.subList(from, this.messages.size()))
					: List.of();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Says whether all was read.
	 * @param from how many messages were read
	 * @return whether none follows
	 */
	public boolean ended(int from) {
		this.lock.lock();
		try {
			return this.closed && from >= this.messages.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isClosed() {
		this.lock.lock();
		try {
			return this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the data of all messages of one kind.
	 * @param <T> type of the data
	 * @param type type of the data
	 * @return the data
	 */
	public <T> List<T> all(Class<T> type) {
		this.lock.lock();
		try {
			return this.messages.stream().map(Message::data).filter(type::isInstance).map(type::cast).toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A message.
	 *
	 * @param name kind of the message
	 * @param data what it says
	 */
	public record Message(String name, Object data) {
	}

}
