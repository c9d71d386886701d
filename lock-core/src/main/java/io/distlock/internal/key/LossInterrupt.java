package io.distlock.internal.key;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread of a hold when it is lost, while a body runs that asked for it. A
 * separate monitor guards it: the interrupt cannot hit what the thread does after the
 * body, and the thread cannot continue between being interrupted and knowing why.
 */
public final class LossInterrupt {

	private final ReentrantLock monitor = new ReentrantLock();

	private final Thread thread;

	private int bodies;

	private boolean foreign;

	private volatile boolean fired;

	/**
	 * Creates an interrupt without a body.
	 * @param thread the thread that runs the body
	 */
	public LossInterrupt(Thread thread) {
		this.thread = thread;
	}

	/** A body begins. */
	public void enter() {
		this.monitor.lock();
		try {
			this.bodies++;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** The hold is lost. */
	public void fire() {
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
	 * A body ends. Clears the thread's interrupt flag unless it had been set before.
	 */
	public void leave() {
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

	/**
	 * Returns whether this has interrupted the thread.
	 * @return {@code true} if so
	 */
	public boolean fired() {
		return this.fired;
	}

}
