package io.distlock.internal.hold;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread of a lost hold while that thread runs a body that asked for the
 * interrupt. A separate monitor guards this object. So the interrupt cannot hit code
 * after the body. The thread also cannot leave the body between the interrupt and the
 * note of its reason.
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

	/** Notes that a body begins. */
	public void enter() {
		this.monitor.lock();
		try {
			this.bodies++;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Interrupts the thread if a body runs, because the hold is lost. */
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
	 * Notes that a body ends. Clears the interrupt flag of the thread, unless the flag
	 * had been set before the loss.
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
