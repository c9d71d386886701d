package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The monitor of one key. Whoever leaves it last lets the key settle, and only then,
 * outside, runs what would be wrong inside: waking threads, calling users' code.
 */
final class Monitor {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private static final int SPINS = 100;

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
		enter();
		try {
			action.run();
		}
		finally {
			leave();
		}
	}

	<T extends @Nullable Object> T call(Supplier<T> action) {
		enter();
		try {
			return action.get();
		}
		finally {
			leave();
		}
	}

	/**
	 * Nobody stays for longer than a microsecond or so, while parking costs several: the
	 * thread that was just woken meets the one that woke it here.
	 */
	private void enter() {
		for (int spin = 0; spin < SPINS; spin++) {
			if (this.lock.tryLock()) {
				return;
			}
			Thread.onSpinWait();
		}
		this.lock.lock();
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
