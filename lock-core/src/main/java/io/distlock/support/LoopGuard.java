package io.distlock.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a background loop alive. A turn never ends the loop, whatever the turn throws.
 * The first failure in a row is logged. After a failure the guard allocates nothing,
 * because there may be no memory. If the log fails too, the line is written before the
 * next turn.
 * <p>
 * One thread at a time may use a guard.
 */
public final class LoopGuard {

	/** How long a thread pauses after a turn that failed. */
	public static final Duration PAUSE = Duration.ofMillis(100);

	private static final Logger logger = LoggerFactory.getLogger(LoopGuard.class);

	private static final long PAUSE_NANOS = PAUSE.toNanos();

	private static final Consumer<Runnable> RUN = Runnable::run;

	private final String loop;

	private final LongConsumer sleep;

	private volatile boolean failing;

	private volatile @Nullable Throwable unlogged;

	/**
	 * Creates the guard of a loop.
	 * @param loop the name of its thread, for the log
	 */
	public LoopGuard(String loop) {
		this(loop, LockSupport::parkNanos);
	}

	/**
	 * Creates the guard of a loop with a given way to sleep.
	 * @param loop the name of its thread, for the log
	 * @param sleep makes the thread sleep for some nanoseconds
	 */
	public LoopGuard(String loop, LongConsumer sleep) {
		this.loop = loop;
		this.sleep = sleep;
	}

	/**
	 * Runs a turn of a loop that a timer repeats. Throws nothing.
	 * @param turn what the loop does each time; it is created beforehand, because there
	 * may be no memory later
	 * @return whether the turn was completed
	 */
	public boolean run(Runnable turn) {
		return run(RUN, turn);
	}

	/**
	 * Runs a turn whose action has an argument, so that the turn needs no separate
	 * object.
	 * @param <T> type of the argument
	 * @param action what the loop does each time
	 * @param argument passed to the action
	 * @return whether the turn was completed
	 */
	public <T> boolean run(Consumer<T> action, T argument) {
		log();
		try {
			action.accept(argument);
			this.failing = false;
			return true;
		}
		catch (Throwable ex) {
			if (!this.failing) {
				this.failing = true;
				this.unlogged = ex;
				log();
			}
			return false;
		}
	}

	/**
	 * Runs a turn of a loop that has a separate thread. The thread pauses after a
	 * failure. Throws nothing.
	 * @param turn what the loop does each time, created beforehand
	 */
	public void runOrPause(Runnable turn) {
		if (!run(turn)) {
			pause();
		}
	}

	private void pause() {
		try {
			this.sleep.accept(PAUSE_NANOS);
		}
		catch (Throwable ex) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	private void log() {
		Throwable failure = this.unlogged;
		if (failure != null) {
			try {
				logger.error("A turn of '{}' failed; it goes on, and further failures in a row are not logged",
						this.loop, failure);
				this.unlogged = null;
			}
			catch (Throwable ex) {
				// The line will be written before the next turn.
			}
		}
	}

}
