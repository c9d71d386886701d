package io.distlock.internal.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards state that only one thread at a time may change. The housekeeping thread visits
 * the monitor when something is due. When an action comes in, the state is brought up to
 * date. Before the last action leaves, the state settles. Waking threads and calling code
 * of users must not happen inside, so these actions run after the monitor has been left.
 */
public abstract class Monitor {

	private static final Logger logger = LoggerFactory.getLogger(Monitor.class);

	private static final int SPINS = 100;

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final WakeTime wakeTime;

	/** A moment that has already passed. */
	private final long overdue;

	/** The first planned action. Most events plan at most one. */
	private @Nullable Runnable first;

	private List<Runnable> others = List.of();

	private volatile long due;

	/**
	 * Creates a monitor with nothing due.
	 * @param wakeTime when the housekeeping thread wakes
	 * @param never a moment that does not come
	 */
	protected Monitor(WakeTime wakeTime, long never) {
		this.wakeTime = wakeTime;
		this.due = never;
		this.overdue = never - LocalDeadline.FOREVER_NANOS;
	}

	/** Does what is due. */
	public abstract void tick();

	/** Called inside, before each action. Brings the state up to date. */
	protected void arrive() {
	}

	/**
	 * Called inside, before the monitor is left. Sends what the actions have made
	 * necessary.
	 * @return when something is due next
	 */
	protected abstract long settle();

	/**
	 * Returns the outer monitor, from within which this monitor may be entered. Actions
	 * that are planned here run once the outer monitor has been left, too.
	 * @return the other monitor, or {@code null} if there is none now
	 */
	protected @Nullable Monitor enclosing() {
		return null;
	}

	/**
	 * Returns when {@link #tick()} must be called at the latest.
	 * @return a moment of the monotonic clock
	 */
	public final long due() {
		return this.due;
	}

	/**
	 * Notes that the call of a waiter fails because of the store.
	 * @param failure why
	 */
	public void callFailed(LockStoreException failure) {
	}

	/** Runs an action inside the monitor. */
	public final void run(Runnable action) {
		enter();
		try {
			action.run();
		}
		finally {
			leave();
		}
	}

	/** Runs an action inside the monitor, and returns its result. */
	public final <T extends @Nullable Object> T call(Supplier<T> action) {
		enter();
		try {
			return action.get();
		}
		finally {
			leave();
		}
	}

	/** Answers a question that changes nothing. */
	protected final <T extends @Nullable Object> T look(Supplier<T> question) {
		lock();
		try {
			return question.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Enters the monitor, until {@link #leave()}. Acquisitions and releases use this
	 * method because it needs no object for the action.
	 * <p>
	 * This method spins first. Most threads stay inside for about a microsecond, but
	 * parking costs several. A thread that was just woken often meets here the thread
	 * that woke it.
	 */
	public final void enter() {
		lock();
		boolean arrived = false;
		try {
			arrive();
			arrived = true;
		}
		finally {
			if (!arrived) {
				leave();
			}
		}
	}

	private void lock() {
		for (int spin = 0; spin < SPINS; spin++) {
			if (this.lock.tryLock()) {
				return;
			}
			Thread.onSpinWait();
		}
		this.lock.lock();
	}

	/**
	 * Plans an action that runs once the monitor has been left. The action must not
	 * block, except in the log. It may run on a thread of the engine or of the store's
	 * client, or on a thread that has a command to execute.
	 */
	public final void afterwards(Runnable action) {
		if (this.first == null) {
			this.first = action;
			return;
		}
		if (this.others.isEmpty()) {
			this.others = new ArrayList<>(2);
		}
		this.others.add(action);
	}

	/**
	 * Runs an action now, or once this thread has left the monitor if it is inside.
	 * @param monitor the monitor, or {@code null} if there is none
	 * @param action what to run
	 */
	public static void outside(@Nullable Monitor monitor, Runnable action) {
		if (monitor != null && monitor.lock.isHeldByCurrentThread()) {
			monitor.afterwards(action);
		}
		else {
			action.run();
		}
	}

	/** Leaves the monitor and, if no other action is inside, runs what was planned. */
	public final void leave() {
		if (this.lock.getHoldCount() > 1) {
			this.lock.unlock();
			return;
		}
		try {
			leaveAndPerform();
		}
		finally {
			this.wakeTime.noLaterThan(this.due);
		}
	}

	private void leaveAndPerform() {
		Runnable action = null;
		List<Runnable> actions = List.of();
		// After an error this value makes the housekeeping thread try again.
		long next = this.overdue;
		try {
			next = settle();
			action = this.first;
			actions = this.others;
			this.first = null;
			this.others = List.of();
		}
		finally {
			this.due = next;
			this.lock.unlock();
		}
		if (action != null) {
			Monitor enclosing = enclosing();
			perform(action, enclosing);
			for (int i = 0; i < actions.size(); i++) {
				perform(actions.get(i), enclosing);
			}
		}
	}

	private static void perform(Runnable action, @Nullable Monitor enclosing) {
		boolean takenOver = enclosing != null && enclosing.lock.isHeldByCurrentThread() && enclosing.takesOver(action);
		if (!takenOver) {
			runSafely(action);
		}
	}

	/**
	 * Plans an action of another monitor. Returns {@code false} if there is no memory for
	 * it. The action then runs at once, because it may wake a thread.
	 */
	private boolean takesOver(Runnable action) {
		try {
			afterwards(action);
			return true;
		}
		catch (Error ex) {
			return false;
		}
	}

	/**
	 * Runs an action. An action that fails must not prevent the next actions, which wake
	 * other threads.
	 */
	private static void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			log(ex);
		}
	}

	/** Logs a failure. Logging may fail too if memory is full. */
	private static void log(Throwable failure) {
		try {
			logger.error("A notification about a lock failed", failure);
		}
		catch (Throwable ex) {
			// The other threads must be woken nevertheless.
		}
	}

}
