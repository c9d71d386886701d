package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The monitor of one key. Whoever leaves it last lets the key settle, and only then,
 * outside, runs what would be wrong inside: waking threads, calling users' code.
 */
final class Monitor {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final Runnable settle;

	private final Runnable left;

	private List<Runnable> afterwards = new ArrayList<>(2);

	/**
	 * Creates a monitor.
	 * @param settle run inside, before it is left
	 * @param left run outside, after it was left
	 */
	Monitor(Runnable settle, Runnable left) {
		this.settle = settle;
		this.left = left;
	}

	void run(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			leave();
		}
	}

	<T> T call(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			leave();
		}
	}

	/** Plans an action for when the monitor has been left. */
	void afterwards(Runnable action) {
		this.afterwards.add(action);
	}

	private void leave() {
		if (this.lock.getHoldCount() > 1) {
			this.lock.unlock();
			return;
		}
		List<Runnable> actions = List.of();
		try {
			this.settle.run();
			actions = takeActions();
		}
		finally {
			this.lock.unlock();
		}
		try {
			actions.forEach(Monitor::runSafely);
		}
		finally {
			this.left.run();
		}
	}

	/** Who enters next gets a list of its own: this one is run outside. */
	private List<Runnable> takeActions() {
		if (this.afterwards.isEmpty()) {
			return List.of();
		}
		List<Runnable> taken = this.afterwards;
		this.afterwards = new ArrayList<>(2);
		return taken;
	}

	/** One action that fails must not keep the threads behind it asleep. */
	private static void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			logger.error("The engine failed to tell of what happened to a lock", ex);
		}
	}

}
