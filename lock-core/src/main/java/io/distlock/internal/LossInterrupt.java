package io.distlock.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread of a hold when it is lost, while a body runs that asked for it.
 * Under a monitor of its own: the interrupt cannot hit what the thread does after the
 * body, and the thread cannot go on between being interrupted and knowing it.
 */
final class LossInterrupt {

	private final ReentrantLock monitor = new ReentrantLock();

	private final Thread thread;

	private int bodies;

	private boolean foreign;

	private volatile boolean fired;

	LossInterrupt(Thread thread) {
		this.thread = thread;
	}

	/** A body begins. */
	void enter() {
		this.monitor.lock();
		try {
			this.bodies++;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** The hold is lost. */
	void fire() {
		this.monitor.lock();
		try {
			if (this.bodies > 0) {
				this.foreign = this.thread.isInterrupted();
				this.fired = true;
				this.thread.interrupt();
			}
		}
		finally {
			this.monitor.unlock();
		}
	}

	/**
	 * A body ends. The flag of the thread is cleared if nobody else had set it.
	 */
	void leave() {
		this.monitor.lock();
		try {
			this.bodies--;
			if (this.bodies == 0 && this.fired && !this.foreign && Thread.currentThread() == this.thread) {
				Thread.interrupted();
			}
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Whether the thread was interrupted by this. */
	boolean fired() {
		return this.fired;
	}

}
