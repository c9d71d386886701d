package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that owns waiters but does not run them: schedules take one step after the
 * other. It can tell whether it was really unparked.
 */
final class ModelThread extends Thread {

	private static final List<ModelThread> POOL = new ArrayList<>();

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

	private boolean asked;

	private boolean woken;

	private boolean dirty;

	private ModelThread(int number) {
		super("model-" + number);
		setDaemon(true);
	}

	/** The same thread for the same number, schedule after schedule. */
	static synchronized ModelThread number(int number) {
		while (POOL.size() <= number) {
			ModelThread thread = new ModelThread(POOL.size());
			thread.start();
			POOL.add(thread);
		}
		return POOL.get(number);
	}

	/** It may have been unparked, and nobody looked. */
	void markDirty() {
		this.dirty = true;
	}

	/** Forgets that it was unparked. */
	void forgetWake() {
		if (this.dirty) {
			LockSupport.unpark(this);
			wasWoken();
		}
	}

	/** Whether it was unparked since the last look; takes time only if it was not. */
	boolean wasWoken() {
		this.dirty = false;
		synchronized (this) {
			this.asked = true;
			notifyAll();
			while (this.asked) {
				waitInterruptibly();
			}
			return this.woken;
		}
	}

	@Override
	public void run() {
		while (true) {
			awaitQuestion();
			long since = System.nanoTime();
			LockSupport.parkNanos(this, PATIENCE);
			answer(System.nanoTime() - since < PATIENCE / 2);
		}
	}

	// Monitors do not use up the permit of unpark, as all of java.util.concurrent does.

	private synchronized void awaitQuestion() {
		while (!this.asked) {
			waitInterruptibly();
		}
	}

	private synchronized void answer(boolean unparked) {
		this.woken = unparked;
		this.asked = false;
		notifyAll();
	}

	private void waitInterruptibly() {
		try {
			wait();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Nobody interrupts a model", ex);
		}
	}

}
